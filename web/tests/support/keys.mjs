// Nobody is ever shown the key of a text, not for a moment: whatever comes into a page is looked at.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './server.mjs'

const ENGLISH = join(ROOT, 'web/src/i18n/en')

/** All keys of the tables that could not be words of people. */
export function allKeys() {
  const keys = new Set()
  for (const name of readdirSync(ENGLISH)) {
    for (const [, key] of readFileSync(join(ENGLISH, name), 'utf8').matchAll(/^\s+'?([\w.]+)'?: /gm)) {
      for (const one of [key, key.replace(/_(one|other)$/, '')]) if (/[._]|[a-z][A-Z]/.test(one)) keys.add(one)
    }
  }
  return [...keys]
}

/** The same for words that are not to be seen in a test: `forbidden` is what a regular expression is made of. */
export async function watchWords(window, forbidden) {
  await window.addInitScript((text) => {
    const words = new RegExp(text, 'i')
    const look = () => {
      const found = words.exec(document.body?.textContent ?? '')
      if (found) console.error(`NOT TO BE SEEN ${found[0]} at ${location.pathname}`)
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  }, forbidden)
}

/** Watches all pages of a window; what is found is told on the console as `RAW KEY`, which fails a test. */
export async function watchKeys(window) {
  await window.addInitScript((keys) => {
    const known = new Set(keys)
    const told = new Set()
    const look = (text, where) => {
      // Names of the API are no keys, although some are called alike.
      if (where === 'CODE' && location.pathname.endsWith('/api/docs')) return
      const found = (text ?? '').split(/[\s,:()“”„"·]+/).find((word) => known.has(word))
      if (!found || told.has(found + where)) return
      told.add(found + where)
      console.error(`RAW KEY ${found} in ${where} at ${location.pathname}`)
    }
    const NAMES = ['aria-label', 'title', 'placeholder', 'alt']
    const lookAt = (node) => {
      if (node.nodeType === Node.TEXT_NODE) return look(node.data, node.parentElement?.tagName)
      if (node.nodeType !== Node.ELEMENT_NODE) return
      for (const name of NAMES) look(node.getAttribute(name), `${node.tagName} ${name}`)
      for (const child of node.childNodes) lookAt(child)
    }
    new MutationObserver((changes) => {
      look(document.title, 'the title of the window')
      for (const { type, target, addedNodes } of changes) {
        if (type === 'childList') addedNodes.forEach(lookAt)
        else if (type === 'attributes') for (const name of NAMES) look(target.getAttribute(name), `${target.tagName} ${name}`)
        else lookAt(target)
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: NAMES })
  }, allKeys())
}

// Accessibility of what is on screen, as axe sees it.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

export async function assertClean(page, where) {
  assert.deepEqual(await violations(page, where), [])
}

/** Waits for the heading of the page and for what it loads, so that not the wait is looked at. */
export async function settled(page) {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page
    .locator('[role=status], .spinner')
    .getByText('Loading…')
    .waitFor({ state: 'detached' })
    .catch(() => {})
  await page.waitForLoadState('load')
}

/** Each violation in a line that says where and what to do. */
export async function violations(page, where) {
  // Through the debugger, which no content security policy keeps out.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    (rules) => globalThis.axe.run(document, { runOnly: rules, resultTypes: ['violations'] }),
    RULES,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${where}: ${id}: ${help}: ${target.join(' ')} ${failureSummary}`),
  )
}

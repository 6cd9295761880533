// Lighthouse's marks for a page, as for a middling phone on a slow network and as for a desk.

import lighthouse, { desktopConfig } from 'lighthouse'

const CATEGORIES = ['accessibility', 'performance']

/** Marks from 0 to 100, and what costs points of accessibility. */
export async function audit(url, port) {
  return { phone: await run(url, port), desk: await run(url, port, desktopConfig) }
}

async function run(url, port, config) {
  const options = { port, output: 'json', logLevel: 'error', onlyCategories: CATEGORIES, disableStorageReset: true }
  const { lhr } = await lighthouse(url, options, config)
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`)
  const mark = (name) => Math.round((lhr.categories[name].score ?? 0) * 100)
  const failed = lhr.categories.accessibility.auditRefs.filter(({ id, weight }) => weight > 0 && lhr.audits[id].score === 0)
  const milliseconds = (id) => Math.round(lhr.audits[id].numericValue ?? 0)
  return {
    version: lhr.lighthouseVersion,
    accessibility: mark('accessibility'),
    performance: mark('performance'),
    firstContentMs: milliseconds('first-contentful-paint'),
    largestContentMs: milliseconds('largest-contentful-paint'),
    blockingMs: milliseconds('total-blocking-time'),
    layoutShift: lhr.audits['cumulative-layout-shift'].numericValue,
    failed: failed.map(({ id }) => id),
  }
}

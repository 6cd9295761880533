// A browser's own description of itself, in words that people know.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bFirefox\//, 'Firefox'],
  [/\bEdg(A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Headless)?Chrom(e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/\bferrotype\//i, 'Ferrotype'],
  [/\bcurl\//, 'curl'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Which browser on which system, as far as it can be told; the text itself if neither can. */
export function nameOfAgent(agent: string | null | undefined): string | undefined {
  if (!agent) return undefined
  const find = (list: typeof BROWSERS) => list.find(([pattern]) => pattern.test(agent))?.[1]
  const names = [find(BROWSERS), find(SYSTEMS)].filter((name) => name !== undefined)
  return names.length > 0 ? names.join(' · ') : agent.slice(0, 60)
}

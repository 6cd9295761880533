// A slow connection, as Chromium's own tools make one.

/** What a phone has at the edge of a village. */
export const SLOW = { kilobitsPerSecond: 1600, latencyMs: 100 }

/** Slows a page down; nothing comes from its cache any more unless that is wanted. */
export async function slowDown(page, { kilobitsPerSecond, latencyMs, cache = false } = SLOW) {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Network.enable')
  const bytesPerSecond = (kilobitsPerSecond * 1000) / 8
  const conditions = { offline: false, latency: latencyMs, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
  await tools.send('Network.emulateNetworkConditions', conditions)
  await tools.send('Network.setCacheDisabled', { cacheDisabled: !cache })
  return tools
}

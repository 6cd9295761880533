// Scrolls as people do, and counts what they would see: frames, and moments in which nothing moved.

/** Runs in the page before anything else: notes every frame, every long task and how much is in the document. */
export function watchFrames() {
  const seen = { frames: [], longTasks: [], nodes: 0 }
  globalThis.seen = seen
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longTasks.push(entry.duration)
  }).observe({ type: 'longtask' })
  let last = 0
  const frame = (now) => {
    if (last) seen.frames.push(now - last)
    last = now
    // Counting is work too; now and then is enough to find the most.
    if (seen.frames.length % 10 === 0) seen.nodes = Math.max(seen.nodes, document.querySelectorAll('.grid *').length)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}

/** Scrolls down steadily by the wheel. */
export async function scroll(page, session, { pixelsPerSecond, seconds }) {
  await begin(page)
  const { width, height } = page.viewportSize()
  const started = Date.now()
  // In gestures of a second, since a long one is not answered before its end.
  while (Date.now() - started < seconds * 1000) {
    await session.send('Input.synthesizeScrollGesture', {
      x: width / 2,
      y: height / 2,
      yDistance: -pixelsPerSecond,
      speed: pixelsPerSecond,
      gestureSourceType: 'mouse',
    })
  }
  return end(page)
}

/** Goes to places all over the library by the bar of time, waiting for a photo at each. */
export async function jump(page, times) {
  await begin(page)
  const bar = await page.getByRole('slider').boundingBox()
  if (!bar) throw new Error('the timeline has no bar of time: is the library too small?')
  const waits = []
  for (let time = 0; time < times; time += 1) {
    const part = ((time * 61) % 97) / 97
    const started = Date.now()
    await page.mouse.click(bar.x + bar.width / 2, bar.y + 1 + (bar.height - 2) * part)
    await page.evaluate(photoIsThere)
    waits.push(Date.now() - started)
  }
  return { ...(await end(page)), photoMs: spread(waits) }
}

/** Runs in the page: waits until a picture is shown where one is now. */
async function photoIsThere() {
  const started = performance.now()
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const isThere = () =>
    [...document.querySelectorAll('a[data-index] img.shown')].some((image) => {
      const box = image.getBoundingClientRect()
      return box.bottom > 60 && box.top < innerHeight
    })
  while (!isThere() && performance.now() - started < 20_000) await new Promise((done) => setTimeout(done, 10))
  if (!isThere()) throw new Error('no photo is shown 20 seconds after a jump')
}

async function begin(page) {
  await page.evaluate(() => Object.assign(globalThis.seen, { frames: [], longTasks: [], nodes: 0 }))
}

async function end(page) {
  const { frames, longTasks, nodes } = await page.evaluate(() => globalThis.seen)
  const time = frames.reduce((sum, ms) => sum + ms, 0)
  return {
    frames: frames.length,
    framesPerSecond: Math.round((frames.length / time) * 10_000) / 10,
    frameMs: spread(frames),
    /** Moments in which nothing moved for three frames of a usual screen. */
    stalls: frames.filter((ms) => ms > 50).length,
    longTasks: longTasks.length,
    longestTaskMs: Math.round(Math.max(0, ...longTasks)),
    timelineNodesMax: nodes,
  }
}

function spread(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (part) => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0) * 10) / 10
  return { median: at(0.5), p95: at(0.95), longest: at(1) }
}

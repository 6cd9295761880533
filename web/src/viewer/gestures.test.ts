import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Gestures } from './gestures'
import { WHOLE, type View } from './zoom'

let time = 0
let did: string[]
let view: View

beforeEach(() => {
  vi.useFakeTimers()
  time = 0
  did = []
  view = WHOLE
})
afterEach(() => void vi.useRealTimers())

const gestures = (): Gestures =>
  new Gestures({
    view: () => view,
    point: ({ clientX, clientY }) => ({ x: clientX, y: clientY }),
    stage: () => ({ width: 1000, height: 800 }),
    setView: (to, settle) => {
      view = to
      if (settle) did.push('settled')
    },
    slide: (by) => did.push(by ? `slide ${by.x} ${by.y}` : 'back'),
    swiped: (step) => did.push(`swiped ${step}`),
    dismissed: () => did.push('dismissed'),
    tapped: (_, kind) => did.push(`tapped ${kind}`),
    doubleTapped: () => did.push('double tap'),
  })

const event = (x: number, y: number, more: Partial<PointerEvent> = {}): PointerEvent =>
  ({ button: 0, pointerId: 1, pointerType: 'touch', clientX: x, clientY: y, timeStamp: (time += 100), ...more }) as PointerEvent

test('a swipe that is far enough goes to the next photo, a short one back', () => {
  const finger = gestures()
  finger.down(event(500, 400))
  finger.move(event(250, 410))
  finger.up(event(250, 410))
  expect(did).toEqual(['slide -250 0', 'swiped 1'])
  did = []
  finger.down(event(500, 400))
  time += 2_000
  finger.move(event(560, 400))
  finger.up(event(560, 400))
  expect(did).toEqual(['slide 60 0', 'back'])
})

test('a quick flick is enough, and goes the way it went', () => {
  const finger = gestures()
  finger.down(event(500, 400))
  finger.move(event(620, 400))
  finger.up(event(620, 400))
  expect(did.at(-1)).toBe('swiped -1')
})

test('a pull down closes', () => {
  const finger = gestures()
  finger.down(event(500, 200))
  finger.move(event(510, 500))
  finger.up(event(510, 500))
  expect(did).toEqual(['slide 10 300', 'dismissed'])
})

test('in a zoomed photo a finger moves it', () => {
  view = { scale: 3, x: 0, y: 0 }
  const finger = gestures()
  finger.down(event(500, 400))
  finger.move(event(450, 430))
  expect(view).toEqual({ scale: 3, x: -50, y: 30 })
  finger.up(event(450, 430))
  expect(did).toEqual(['settled'])
})

test('two fingers zoom, and the one that stays moves on', () => {
  const hand = gestures()
  hand.down(event(-100, 0))
  hand.down(event(100, 0, { pointerId: 2 }))
  hand.move(event(300, 0, { pointerId: 2 }))
  expect(view.scale).toBe(2)
  hand.up(event(300, 0, { pointerId: 2 }))
  const before = view.x
  hand.move(event(-80, 0))
  expect(view.x - before).toBe(20)
})

test('a click is told at once, a tap when no second one follows', () => {
  const hand = gestures()
  hand.down(event(500, 400, { pointerType: 'mouse' }))
  hand.up(event(500, 400, { pointerType: 'mouse' }))
  expect(did).toEqual(['tapped mouse'])
  did = []
  hand.down(event(500, 400))
  hand.up(event(500, 400))
  expect(did).toEqual([])
  vi.advanceTimersByTime(400)
  expect(did).toEqual(['tapped touch'])
  did = []
  for (let tap = 0; tap < 2; tap += 1) {
    hand.down(event(500, 400))
    hand.up(event(500, 400))
    vi.advanceTimersByTime(100)
  }
  vi.advanceTimersByTime(400)
  expect(did).toEqual(['double tap'])
})

test('other buttons do nothing, and what the system takes away goes back', () => {
  const hand = gestures()
  hand.down(event(500, 400, { button: 2 }))
  hand.move(event(300, 400))
  hand.up(event(300, 400))
  expect(did).toEqual([])
  hand.down(event(500, 400))
  hand.move(event(300, 400))
  hand.cancel(event(300, 400))
  expect(did.at(-1)).toBe('back')
})

test('the wheel zooms where it is, and a touch pad moves what is zoomed', () => {
  const wheel = (deltaX: number, deltaY: number): WheelEvent =>
    ({ preventDefault: () => {}, deltaX, deltaY, deltaMode: 0, ctrlKey: false, clientX: 100, clientY: 0 }) as unknown as WheelEvent
  const hand = gestures()
  hand.wheel(wheel(0, -120))
  expect(view.scale).toBeGreaterThan(1.3)
  const { scale, x } = view
  hand.wheel(wheel(10, 4))
  expect([view.scale, view.x]).toEqual([scale, x - 10])
})

import { expect, test } from 'vitest'
import { commandOf } from './commands'

const whole = { whole: true, running: false }
const close = { whole: false, running: false }

test('arrows go through the photos, or around in one that is zoomed', () => {
  expect([commandOf('ArrowLeft', whole), commandOf('ArrowRight', whole)]).toEqual(['previous', 'next'])
  expect([commandOf('ArrowLeft', close), commandOf('ArrowRight', close)]).toEqual(['left', 'right'])
})

test('escape goes back by one step: from the show, from the zoom, from the photo', () => {
  expect(commandOf('Escape', { whole: false, running: true })).toBe('stopShow')
  expect(commandOf('Escape', close)).toBe('whole')
  expect(commandOf('Escape', whole)).toBe('close')
})

test('letters mean the same in capitals, and other keys nothing', () => {
  expect(commandOf('F', whole)).toBe('favourite')
  expect(commandOf('f', whole)).toBe('favourite')
  for (const key of ['q', 'Enter', 'delete', 'Tab', 'toString']) expect(commandOf(key, whole)).toBeUndefined()
})

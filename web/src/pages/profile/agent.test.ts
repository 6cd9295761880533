import { expect, test } from 'vitest'
import { nameOfAgent } from './agent'

test('browsers and systems have names', () => {
  expect(nameOfAgent('Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0')).toBe('Firefox · Linux')
  expect(nameOfAgent('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36 Edg/126.0')).toBe(
    'Edge · Windows',
  )
  expect(nameOfAgent('Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1')).toBe(
    'Safari · iPhone',
  )
  expect(nameOfAgent('curl/8.5.0')).toBe('curl')
})

test('what has no name is shown as it is', () => {
  expect(nameOfAgent('SomethingNew')).toBe('SomethingNew')
  expect(nameOfAgent(undefined)).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { Person } from '../../api/people'
import { mainOf, mustAsk } from './merging'

const person = (id: string, count: number, name?: string): Person => ({ id, count, name, owner: 'u', createdAt: '', updatedAt: '', version: 1 })

test('a name counts more than many photos', () => {
  expect(mainOf([person('person1', 90), person('person2', 3, 'Ada')])?.id).toBe('person2')
})

test('among equals the one with more photos stays, then the older one', () => {
  expect(mainOf([person('person2', 3), person('person1', 9)])?.id).toBe('person1')
  expect(mainOf([person('person10', 3), person('person9', 3)])?.id).toBe('person9')
  expect(mainOf([])).toBeUndefined()
})

test('only names that differ are worth a question', () => {
  expect(mustAsk([person('person1', 1, 'Ada'), person('person2', 1, 'Bob')])).toBe(true)
  expect(mustAsk([person('person1', 1, 'Ada'), person('person2', 1, 'Ada'), person('person3', 1)])).toBe(false)
})

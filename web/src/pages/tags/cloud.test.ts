import { expect, test } from 'vitest'
import { STEPS, stepsOf } from './cloud'

test('the rarest is smallest and the most frequent largest', () => {
  const steps = stepsOf([
    { tag: 'sea', count: 1 },
    { tag: 'dog', count: 7 },
    { tag: 'trip', count: 50 },
  ])
  expect(steps.get('sea')).toBe(0)
  expect(steps.get('dog')).toBe(2)
  expect(steps.get('trip')).toBe(STEPS - 1)
})

test('equal tags are of equal, ordinary size', () => {
  expect([...stepsOf([{ tag: 'a', count: 3 }, { tag: 'b', count: 3 }]).values()]).toEqual([1, 1])
  expect(stepsOf([]).size).toBe(0)
})

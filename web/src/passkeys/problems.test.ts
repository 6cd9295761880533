import { expect, test } from 'vitest'
import { ApiError } from '../api/errors'
import { problemOf } from './problems'

const thrown = (name: string): DOMException => new DOMException('', name)

test('cancelling is no error', () => {
  expect(problemOf(thrown('NotAllowedError'), 'make')).toEqual({ text: 'passkey.notMade', kind: 'info' })
  expect(problemOf(thrown('NotAllowedError'), 'use')).toEqual({ text: 'passkey.notUsed', kind: 'info' })
})

test('what we have given up ourselves is not told', () => {
  expect(problemOf(thrown('AbortError'), 'use')).toBeUndefined()
})

test('a device that has one already is told apart from one that cannot have any', () => {
  expect(problemOf(thrown('InvalidStateError'), 'make')).toEqual({ text: 'passkey.here', kind: 'info' })
  expect(problemOf(thrown('ConstraintError'), 'make')).toEqual({ text: 'passkey.unable', kind: 'error' })
  expect(problemOf(thrown('SecurityError'), 'use')).toEqual({ text: 'passkey.elsewhere', kind: 'error' })
})

test('the API speaks for itself, and the rest is an error', () => {
  expect(problemOf(new ApiError('not_found', '', 404), 'make')).toBeUndefined()
  expect(problemOf(new TypeError('?'), 'use')).toEqual({ text: 'passkey.failed', kind: 'error' })
})

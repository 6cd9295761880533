import { expect, test } from 'vitest'
import type { DefaultQuota } from '../../api/schema'
import { draftOf, ruleOf, USUAL, wrongOf } from './quotaRule'

const now = (some: Partial<DefaultQuota>): DefaultQuota => ({ imagesMax: null, bytesMax: null, diskPercent: null, diskBytes: null, source: 'administrator', ...some })

test('whoever is not asked gets what most people want', () => {
  expect(draftOf().kind).toBe('unlimited')
  expect(ruleOf(draftOf())).toEqual({ imagesMax: null, bytesMax: null })
})

test('what is so now stands in the form and is told as it was', () => {
  for (const rule of [now({}), now({ ...USUAL }), now({ imagesMax: 7 }), now({ bytesMax: 10_737_418_240 })]) {
    const { imagesMax, bytesMax } = rule
    expect(ruleOf(draftOf(rule), rule)).toEqual({ imagesMax, bytesMax })
  }
  const share = now({ bytesMax: 99, diskPercent: 20 })
  expect(ruleOf(draftOf(share), share)).toEqual({ imagesMax: null, diskPercent: 20 })
})

test('numbers of one’s own are numbers, and an empty field is no limit', () => {
  const own = { ...draftOf(), kind: 'own' as const, images: '', gigabytes: '2,5' }
  expect(wrongOf(own)).toEqual({ images: false, gigabytes: false })
  expect(ruleOf(own)).toEqual({ imagesMax: null, bytesMax: 2_500_000_000 })
  expect(wrongOf({ ...own, images: 'many' }).images).toBe(true)
  expect(wrongOf({ ...own, gigabytes: '-1' }).gigabytes).toBe(true)
})

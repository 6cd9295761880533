import { describe, expect, it } from 'vitest'
import { copyrightNotice, placeName } from './written'

describe('what is written in a file', () => {
  it('names a place from small to large, and nothing twice', () => {
    expect(placeName({ location: 'Speicherstadt', city: 'Hamburg', state: 'Hamburg', country: 'Germany', countryCode: 'DE' })).toBe('Speicherstadt, Hamburg, Germany')
    expect(placeName({ countryCode: 'DE' })).toBe('DE')
    expect([placeName({}), placeName(undefined)]).toEqual(['', ''])
  })

  it('has one copyright sign', () => {
    expect(copyrightNotice('Ada')).toBe('© Ada')
    expect(copyrightNotice('© Ada')).toBe('© Ada')
    expect(copyrightNotice('Copyright Ada')).toBe('Copyright Ada')
  })
})

import { describe, expect, it } from 'vitest'
import { FakeClock, fakeFile, FakeStorage } from './fakes'
import { storageMemory } from './memory'
import { ownTab, Tabs } from './tabs'
import { newUpload } from './upload'

describe('memory', () => {
  const setting = () => {
    const [store, clock] = [new FakeStorage(), new FakeClock()]
    return { store, clock, tab: (own: string) => new Tabs(own, store, clock) }
  }

  it('keeps the uploads of users apart', () => {
    const { store, tab } = setting()
    storageMemory(store, 'ada', tab('one')).put(newUpload(fakeFile('a'), 'a', undefined))
    expect(
      storageMemory(store, 'ada', tab('one'))
        .all()
        .map((entry) => entry.name),
    ).toEqual(['a'])
    expect(storageMemory(store, 'bob', tab('one')).all()).toEqual([])
  })

  it('leaves to another open tab what that is sending, until it is closed or dies', () => {
    const { store, clock, tab } = setting()
    const [first, second] = [tab('one'), tab('two')]
    first.begin()
    storageMemory(store, 'ada', first).put(newUpload(fakeFile('a'), 'a', undefined))
    const seen = () => storageMemory(store, 'ada', second).all().length
    expect(seen()).toBe(0)
    clock.pass(60_000)
    expect(seen()).toBe(0)
    first.end()
    expect(seen()).toBe(1)
    store.setItem('ferrotype.tab.one', String(clock.now()))
    expect(seen()).toBe(0)
    clock.pass(16_000)
    expect(seen()).toBe(1)
  })

  it('knows a tab again after a reload', () => {
    const session = new FakeStorage()
    expect(ownTab(session)).toBe(ownTab(session))
    expect(ownTab(session)).not.toBe(ownTab(new FakeStorage()))
  })

  it('passes over what it cannot read, and does without a storage that is full', () => {
    const { store, tab } = setting()
    const memory = storageMemory(store, 'ada', tab('one'))
    const upload = newUpload(fakeFile('a'), 'a', { id: '1', title: 'Summer' })
    memory.put(upload)
    const whole = store.getItem(`ferrotype.upload.ada.${upload.key}`) ?? ''
    for (const [at, text] of ['{', 'null', '7', '{}', whole.replace('100', '"100"'), whole.replace('"Summer"', '0')].entries()) {
      store.entries.set(`ferrotype.upload.ada.${at}`, text)
    }
    expect(memory.all().map((entry) => entry.key)).toEqual([upload.key])
    store.onWrite = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    memory.put(newUpload(fakeFile('b'), 'b', undefined))
    memory.forget(upload.key)
    expect(memory.all()).toEqual([])
  })
})

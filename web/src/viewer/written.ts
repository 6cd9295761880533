// What photo programs have written into a file, for people.

export interface PlaceNames {
  location?: string | null
  city?: string | null
  state?: string | null
  country?: string | null
  countryCode?: string | null
}

/** The names of a place from small to large, none twice; the code only where the country has no name. */
export function placeName(place: PlaceNames | null | undefined): string {
  if (!place) return ''
  const { location, city, state, country, countryCode } = place
  const names = [location, city, state, country || countryCode].filter((name): name is string => !!name)
  return [...new Set(names)].join(', ')
}

/** A copyright notice with its sign, which not all write themselves. */
export function copyrightNotice(text: string): string {
  return /©|\(c\)|copyright/i.test(text) ? text : `© ${text}`
}

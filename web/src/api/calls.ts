// The calls of the API by what they are about. Pages use these rather than paths.
import { base } from '../base'
import { all, del, get, pager, patch, post, put, send, type Pager } from './client'
import { inHundreds } from './many'
import type * as S from './schema'

export type Exif = {
  camera?: string
  lens?: string
  iso?: number
  shutterSpeed?: string
  aperture?: number
  focalLength?: number
  takenAt?: string
  offsetMinutes?: number
  gps?: { latitude: number; longitude: number; altitude?: number }
}
export type Image = Omit<S.Image, 'exif'> & { exif?: Exif | null; favourite?: boolean | null }
export type ImageEdit = {
  title?: string | null
  description?: string | null
  altText?: string | null
  tags?: string[]
  visibility?: S.Visibility
  rating?: number | null
}

const id = encodeURIComponent

export const session = {
  me: () => get<S.MeAnswer>('/me'),
  signIn: (email: string, password: string) => post<S.SessionAnswer>('/session', { email, password, kind: 'cookie' }),
  signOut: () => del('/session'),
  setUp: (body: Omit<S.SetUp, 'kind'>) => post<S.SessionAnswer>('/setup', { ...body, kind: 'cookie' }),
  signUp: (body: Omit<S.SignUp, 'kind'>) => post<S.SessionAnswer>('/signup', { ...body, kind: 'cookie' }),
  service: () => get<S.ServiceInfo>('/service'),
}

export const images = {
  load: (image: string, signal?: AbortSignal) => get<Image>(`/images/${id(image)}`, { signal }),
  some: async (ids: string[]) =>
    (await inHundreds(ids, (some) => post<{ items: Image[] }>('/images/batch-get', { ids: some }))).flatMap((page) => page.items),
  change: (image: string, version: number, edit: ImageEdit) => patch<Image>(`/images/${id(image)}`, { ...edit, version }),
  trash: (image: string) => del(`/images/${id(image)}`),
  purge: (image: string) => del(`/images/${id(image)}`, { query: { permanent: true } }),
  restore: (image: string) => post<Image>(`/images/${id(image)}/restore`),
  /** Tries again what could not be shown. */
  retry: (image: string) => post<Image>(`/images/${id(image)}/retry`),
  /** Says when each was taken; null goes back to what its file says. */
  date: (items: S.TakenItem[]) => post<S.ChangedTakenList>('/images/taken', { items }),
  favourite: (image: string, on: boolean) => (on ? put : del)(`/images/${id(image)}/favourite`),
  tags: (image: string) => get<S.TagsOfImage>(`/images/${id(image)}/tags`),
  setTags: (image: string, tags: S.NewTags) => put<S.TagsOfImage>(`/images/${id(image)}/tags`, tags),
  albums: async (image: string) => (await get<S.FoundAlbums>(`/images/${id(image)}/albums`)).items,
  /** Where the picture can be saved from: the original for its owner, else the largest rendition. */
  downloadUrl: (image: Pick<Image, 'id' | 'originalUrl'>) => `${base}/i/${id(image.id)}/${image.originalUrl ? 'original' : 'large'}?download=true`,
}

export const lists = {
  mine: (order: 'newest' | 'oldest' = 'newest'): Pager<Image> => pager('/images', { order }),
  feed: (): Pager<Image> => pager('/feed'),
  favourites: (): Pager<Image> => pager('/favourites'),
  trash: (): Pager<Image> => pager('/trash'),
  search: (q: string, order: 'newest' | 'taken' | 'relevance' = 'newest'): Pager<Image> => pager('/search', { q, order }),
  tag: (tag: string, by: 'me' | 'everyone' = 'everyone'): Pager<Image> => pager('/tags/images', { tag, by }),
  album: (album: string, sort?: S.AlbumSort, order?: 'newest' | 'oldest'): Pager<Image> =>
    pager(`/albums/${id(album)}/images`, { sort, order }),
  ofUser: (user: string): Pager<Image> => pager(`/users/${id(user)}/images`),
}

export const albums = {
  mine: () => all<S.Album>('/albums'),
  shared: () => all<S.Album>('/albums/shared'),
  nested: (album: string) => all<S.Album>(`/albums/${id(album)}/albums`),
  load: (album: string) => get<S.Album>(`/albums/${id(album)}`),
  make: (body: S.NewAlbum) => post<S.Album>('/albums', body),
  change: (album: string, version: number, changes: S.AlbumChanges) => patch<S.Album>(`/albums/${id(album)}`, { ...changes, version }),
  remove: (album: string, version: number) => del(`/albums/${id(album)}`, { query: { version } }),
  add: (album: string, ids: string[]) => inHundreds(ids, (add) => post<S.ChangedImages>(`/albums/${id(album)}/images`, { add })),
  take: (album: string, ids: string[]) => inHundreds(ids, (remove) => post<S.ChangedImages>(`/albums/${id(album)}/images`, { remove })),
  move: (album: string, body: S.MoveImages) => post(`/albums/${id(album)}/images/move`, body),
  members: (album: string) => all<S.AlbumMember>(`/albums/${id(album)}/members`),
  setMember: (album: string, user: string, role: S.AlbumRole) => put<S.AlbumMember>(`/albums/${id(album)}/members/${id(user)}`, { role }),
  removeMember: (album: string, user: string) => del(`/albums/${id(album)}/members/${id(user)}`),
  tagStatus: (album: string) => all<S.TagStatus>(`/albums/${id(album)}/tag-status`, {}, 10_000),
}

export const tags = {
  list: (prefix: string, by: 'me' | 'everyone' = 'everyone'): Pager<S.CountedTag> => pager('/tags', { prefix, by }),
  setMany: (items: S.TagsOf[]) => post<S.ManySet>('/tags/set', { items }),
  rename: (from: string, to: string) => post<S.RenamedTag>('/tags/rename', { from, to }),
}

export const search = {
  suggest: async (q: string, signal?: AbortSignal) => (await get<S.Suggestions>('/search/suggestions', { query: { q }, signal })).items,
}

export const links = {
  mine: (query: { image?: string; album?: string } = {}) => all<S.Link>('/links', query),
  make: (body: S.NewLink) => post<S.Link>('/links', body),
  change: (link: string, version: number, changes: S.LinkChanges) => patch<S.Link>(`/links/${id(link)}`, { ...changes, version }),
  remove: (link: string) => del(`/links/${id(link)}`),
}

export const users = {
  load: (user: string) => get<S.User>(`/users/${id(user)}`),
  byEmail: async (email: string) => (await get<S.Page<S.User>>('/users', { query: { email } })).items[0],
}

export { send }

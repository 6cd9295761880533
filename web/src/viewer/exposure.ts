// What the camera did, in the words of photographers.
import type { Exif } from '../api'

type Numbers = (value: number, options?: Intl.NumberFormatOptions) => string

export function exposure(exif: Exif, number: Numbers): string[] {
  const parts: (string | undefined)[] = [
    exif.aperture === undefined ? undefined : `f/${number(exif.aperture, { maximumFractionDigits: 1 })}`,
    exif.shutterSpeed ? `${exif.shutterSpeed} s` : undefined,
    exif.focalLength === undefined ? undefined : `${number(exif.focalLength, { maximumFractionDigits: 1 })} mm`,
    exif.iso === undefined ? undefined : `ISO ${number(exif.iso, { useGrouping: false })}`,
  ]
  return parts.filter((part) => part !== undefined)
}

export const megapixels = (width: number, height: number): number => (width * height) / 1e6

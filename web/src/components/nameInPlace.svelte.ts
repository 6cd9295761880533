// A name that is changed where it stands: Enter saves, Escape leaves it as it was.
import { toasts } from '../state/toasts.svelte'

export class NameInPlace {
  editing = $state(false)
  busy = $state(false)
  text = $state('')
  /** What shows the name, and gets the focus back. */
  button = $state<HTMLElement>()

  /** `save` says whether the name is done with; where it fails, that is told and can be tried again. */
  constructor(
    private readonly name: () => string,
    private readonly save: (name: string) => Promise<boolean>,
  ) {}

  readonly begin = (): void => {
    this.text = this.name()
    this.editing = true
  }

  readonly focus = (node: HTMLInputElement): void => {
    node.focus()
    node.select()
  }

  readonly keydown = (event: KeyboardEvent): void => {
    // Keys are for the name, not for what is around it.
    event.stopPropagation()
    if (event.isComposing) return
    if (event.key === 'Enter') void this.end()
    else if (event.key === 'Escape') this.stop()
  }

  readonly end = async (): Promise<void> => {
    if (!this.editing || this.busy) return
    const name = this.text.trim()
    if (name === this.name()) return this.stop()
    this.busy = true
    try {
      if (await this.save(name)) this.stop()
    } catch (error) {
      toasts.error(error)
    } finally {
      this.busy = false
    }
  }

  private stop(): void {
    this.editing = false
    requestAnimationFrame(() => this.button?.focus())
  }
}

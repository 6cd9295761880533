// The title of the window. A page that knows better than its route sets one of its own.
class PageTitle {
  own = $state<string | undefined>()
  /** How many photos wait to be seen, or how far an upload is; shown in front. */
  mark = $state<string | undefined>()
}

export const pageTitle = new PageTitle()

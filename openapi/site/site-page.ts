/** A page of the documentation, as the generated module has it. */
export interface SitePage {
  /** Below `/docs/`, such as `guides/first-agent`. */
  readonly path: string;
  readonly title: string;
  /** The first sentence, as text. */
  readonly summary: string;
  readonly html: string;
  /** A list of links for headings that are on other pages now, as HTML; empty when there are none. */
  readonly moved: string;
}

import type { Page } from "playwright-core";

/** A picture of a page of the console. */
export interface Shot {
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state to be shown. */
  readonly ready: (page: Page) => Promise<void>;
  /** Whether the page holds a stream open. */
  readonly isStreaming?: true;
}

/** Memories to be written into a store of the bench. */
export interface MemoryFill {
  /** A multiple of the codes of a row. */
  readonly from: number;
  readonly to: number;
  /** The model of their vectors, as the store names it; null for none. */
  readonly model: string | null;
  readonly dimensions: number;
}

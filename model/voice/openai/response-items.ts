// Items of responses that are not done, by the provider's ids: they may have to be taken out of its conversation.

/** Items at a time: those of one answer are a handful. */
const MAX_ITEMS = 64;

export class ResponseItems {
  /** The response of each. */
  readonly #responses = new Map<string, string>();

  note({ item_id, response_id }: { readonly item_id: string; readonly response_id: string }): void {
    if (this.#responses.has(item_id)) return;
    this.#responses.set(item_id, response_id);
    const [oldest] = this.#responses.keys();
    if (this.#responses.size > MAX_ITEMS && oldest !== undefined) this.#responses.delete(oldest);
  }

  /** @returns Those of the response, which is done. */
  end(responseId: string): readonly string[] {
    const ended = [...this.#responses].filter(([, response]) => response === responseId);
    for (const [id] of ended) this.#responses.delete(id);
    return ended.map(([id]) => id);
  }
}

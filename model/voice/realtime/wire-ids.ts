// Ids of one provider connection: a provider may give the same id again on another one, the session has each once.
import { generateId } from "../../../protocol/messages/defaults.ts";
import { shortHash } from "../../stream/short-hash.ts";

/** Characters of an id that a provider is given: OpenAI refuses more than 32. */
const MAX_WIRE_CHARACTERS = 32;

export class WireIds {
  readonly #prefix = `${generateId().slice(-8)}_`;

  /** The session's id for one of the provider's; an empty one stays empty. */
  own(wireId: string): string {
    return wireId === "" ? "" : `${this.#prefix}${wireId}`;
  }

  /** The provider's id for one of the session's; null for one of another connection. */
  wire(ownId: string): string | null {
    return ownId.startsWith(this.#prefix) ? ownId.slice(this.#prefix.length) : null;
  }

  /** An id by which the provider can be told of a call, whoever has made it: the same for the call and its result. */
  told(ownId: string): string {
    const wire = this.wire(ownId);
    if (wire !== null) return wire;
    const plain = ownId.replaceAll(/[^A-Za-z0-9_-]/g, "_");
    if (plain === ownId && ownId.length <= MAX_WIRE_CHARACTERS) return ownId;
    return `${plain.slice(0, MAX_WIRE_CHARACTERS - 9)}_${shortHash(ownId)}`;
  }
}

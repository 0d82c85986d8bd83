// Reads the calls in the deltas of chat completions, and tells apart those that an endpoint gives the same index, or
// none, and no id.
import type { ToolCallDelta } from "../../agent/ports.ts";
import { MAX_TURN_CALLS } from "../../protocol/models/limits.ts";
import { CallIndexes } from "../stream/call-indexes.ts";
import { inputText } from "../stream/input-text.ts";
import type { JsonFields } from "../stream/json-fields.ts";
import { JsonScan } from "../stream/json-scan.ts";
import { asFields, asList, asText } from "../stream/stream-event.ts";
import { sealCallProof } from "./call-proof.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

/** In place of an index: the one call of the older form has none. */
const FUNCTION_CALL = "function_call";
const IS_EMPTY = /^\s*\{\s*\}\s*$/;

interface ReadCall {
  readonly name: string;
  readonly input: JsonScan;
}

interface Piece {
  readonly given: unknown;
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly signature?: string | undefined;
}

/** The calls of one stream. */
export class CallReader {
  readonly #by: string;
  readonly #indexes = new CallIndexes();
  readonly #calls = new Map<number, ReadCall>();
  /** The index of the last piece. */
  #given: unknown;

  /** @param by The author of the calls' proofs. */
  constructor(by: string) {
    this.#by = by;
  }

  /** @returns Null for an input that is deeper than any. */
  read(delta: JsonFields): ToolCallDelta[] | null {
    const read: ToolCallDelta[] = [];
    /** The calls that were named in this delta: each element of its list is one. */
    const named = new Set<number>();
    for (const piece of piecesOf(delta, this.#by)) {
      if (!piece) return null;
      const { id, name, input, signature } = piece;
      const given = this.#givenOf(piece);
      if (this.#isNothing(piece, given)) continue;
      const place = name === "" ? "open" : this.#placeOf(piece, named);
      this.#given = given;
      if (place === "repeated") continue;
      const index =
        place === "new" ? this.#indexes.begin(given, id) : this.#indexes.resolve(given, piece);
      if (name !== "") named.add(index);
      this.#note(index, name, input);
      const told = { ...(id && { id }), ...(name && { name }), ...(signature && { signature }) };
      read.push({ index, ...told, delta: input });
    }
    return read;
  }

  /** Some streams end with a call of nothing, or of an empty object. */
  #isNothing({ id, name, input, signature }: Piece, given: unknown): boolean {
    if (id !== "" || name !== "" || signature) return false;
    if (input === "") return true;
    if (!IS_EMPTY.test(input)) return false;
    const index = this.#indexes.find(given);
    return index !== undefined && this.#calls.get(index)?.input.isWhole === true;
  }

  /** The index of a piece. Without one, and without a name or an id, it continues with what came before. */
  #givenOf({ given, id, name }: Piece): unknown {
    const isRest = name === "" && id === "" && (given === undefined || given === null);
    return isRest && this.#indexes.find(given) === undefined ? this.#given : given;
  }

  /**
   * The place of a piece with a name: names may come once, or with each piece of their call.
   * @returns `repeated` for a whole call that was read already: some streams end with all that they have said.
   */
  #placeOf(
    { given, id, name, input }: Piece,
    named: ReadonlySet<number>,
  ): "open" | "new" | "repeated" {
    const index = this.#indexes.find(given, id);
    const open = index === undefined ? undefined : this.#calls.get(index);
    if (index === undefined || !open || open.name === "") return "open";
    const told = new JsonScan();
    told.feed(input);
    const isNext = open.input.isWhole && told.hasBegun;
    if (this.#indexes.isKnown(given, id)) {
      if (!isNext) return "open";
      return open.input.isSameAs(told) ? "repeated" : "new";
    }
    // Two ids tell two calls apart by themselves.
    if (id !== "" && this.#indexes.hasId(given)) return "open";
    return isNext || named.has(index) || open.name !== name ? "new" : "open";
  }

  #note(index: number, name: string, input: string): void {
    // Calls beyond the limit share an index.
    if (index >= MAX_TURN_CALLS) return;
    let call = this.#calls.get(index);
    if (!call || (call.name === "" && name !== "")) {
      call = { name, input: call?.input ?? new JsonScan() };
      this.#calls.set(index, call);
    }
    call.input.feed(input);
  }
}

/** Null for one that cannot be read. */
function piecesOf(delta: JsonFields, by: string): (Piece | null)[] {
  const older = asFields(delta[FUNCTION_CALL]);
  const listed = delta["tool_calls"];
  const pieces = (isJsonObject(listed) ? [listed] : asList(listed)).flatMap((value) => {
    const call = asFields(value);
    if (!call) return [];
    const made = asFields(call["function"]) ?? {};
    const piece = pieceOf(call["index"], asText(call["id"]), { ...call, ...made });
    return [piece && { ...piece, signature: sealCallProof(by, call) }];
  });
  return older ? [...pieces, pieceOf(FUNCTION_CALL, "", older)] : pieces;
}

function pieceOf(given: unknown, id: string, made: JsonFields): Piece | null {
  const input = inputText(made["arguments"] ?? made["parameters"] ?? made["input"]);
  return input === null ? null : { given, id, name: asText(made["name"]), input };
}

// The output items of one response: which of them an event is about. Endpoints leave out numbers, ids and the start of
// items, or repeat them.
import { MAX_TURN_BLOCKS } from "../../../protocol/models/limits.ts";
import { inputText } from "../../stream/input-text.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import { SaidText } from "../../stream/said-text.ts";
import { shortHash } from "../../stream/short-hash.ts";
import { asIndex, asText } from "../../stream/stream-event.ts";
import { ResponseItem } from "./response-item.ts";
import { summaryTexts } from "./sealed-reasoning.ts";

/** Characters of an id that are kept as they are: the stream controls their length. */
const MAX_KEPT_CHARACTERS = 256;

/** The place of an item, as an event names it. */
export interface ItemPlace {
  readonly index: number | undefined;
  /** Empty where it is left out. */
  readonly id: string;
}

/** Hot path: runs for each token. */
export function placeOf(index: unknown, id: unknown): ItemPlace {
  return { index: asIndex(index), id: shortened(asText(id)) };
}

export function kindOf(item: JsonFields): string {
  const type = asText(item["type"]);
  if (type !== "") return type;
  if (item["content"] !== undefined) return "message";
  return item["call_id"] === undefined ? "" : "function_call";
}

/** Of a message or a thought. */
export function textsOf(item: JsonFields): readonly string[] {
  const { content } = item;
  if (typeof content === "string") return [content];
  const texts = fieldsIn(content).map((part) => asText(part["text"]) + asText(part["refusal"]));
  if (kindOf(item) !== "reasoning") return texts;
  const summary = summaryTexts(item);
  return summary.length > 0 ? summary : texts;
}

/** The items of one response, in the order in which they came. */
export class ResponseItems {
  readonly #items: ResponseItem[] = [];
  readonly #byIndex = new Map<number, ResponseItem>();
  readonly #byId = new Map<string, ResponseItem>();

  get all(): readonly ResponseItem[] {
    return this.#items;
  }

  /** Whether items may have come that are not known here. */
  get isFull(): boolean {
    return this.#items.length >= MAX_TURN_BLOCKS;
  }

  /** Whether the place is that of an item of another kind. */
  isForeign(kind: string, { index }: ItemPlace): boolean {
    const numbered = index === undefined ? undefined : this.#byIndex.get(index);
    return numbered !== undefined && numbered.kind !== kind;
  }

  /** Hot path: runs for each token. */
  find(kind: string, { index, id }: ItemPlace): ResponseItem | undefined {
    const numbered = index === undefined ? undefined : this.#byIndex.get(index);
    const byIndex = numbered?.kind === kind ? numbered : undefined;
    if (byIndex && (id === "" || byIndex.id === id)) return byIndex;
    const named = id === "" ? undefined : this.#byId.get(id);
    if (named?.kind === kind) return named;
    // Some endpoints give an item another id in each of its events.
    if (numbered && index !== undefined) return byIndex;
    const open = this.#items.filter(
      (item) =>
        item.kind === kind && !item.isEnded && (index === undefined || item.index === undefined),
    );
    if (kind !== "function_call" || id === "") return open.at(-1);
    return open.find((item) => item.id === "");
  }

  /** As {@link find}; one that is not known yet begins. */
  resolve(kind: string, place: ItemPlace): ResponseItem {
    const known = this.find(kind, place);
    return known ? this.#note(known, place) : this.begin(kind, place);
  }

  /** The item that is announced: a new one, unless it is told again. */
  announce(index: unknown, whole: JsonFields): ResponseItem {
    const kind = kindOf(whole);
    const place = placeOf(index, asText(whole["id"]) || whole["call_id"]);
    const known = this.find(kind, place);
    const isOld = known && isRepeated(known, whole);
    const item = isOld ? this.#note(known, place) : this.begin(kind, place);
    item.offered ??= whole;
    if (kind === "function_call") this.describeCall(item, whole);
    return item;
  }

  /** The item that is told whole. */
  whole(index: unknown, whole: JsonFields): ResponseItem {
    const kind = kindOf(whole);
    const callId = asText(whole["call_id"]);
    const place = placeOf(index, asText(whole["id"]) || callId);
    const called = callId === "" ? undefined : this.find(kind, placeOf(index, callId));
    const known = this.find(kind, place) ?? called;
    return known ? this.#note(known, place) : this.begin(kind, place);
  }

  begin(kind: string, place: ItemPlace): ResponseItem {
    const item = new ResponseItem(kind);
    // Not kept beyond the limit, because the stream controls the number.
    if (this.isFull) return item;
    this.#items.push(item);
    return this.#note(item, place);
  }

  /** The index and the id of an item are those that were told first. */
  #note(item: ResponseItem, { index, id }: ItemPlace): ResponseItem {
    if (index !== undefined && item.index === undefined) {
      item.index = index;
      this.#byIndex.set(index, item);
    }
    if (id !== "" && item.id === "") {
      item.id = id;
      this.#byId.set(id, item);
    }
    return item;
  }

  /** Notes what is told of a call. Its own id is known beside that of its item: some endpoints use one for the other. */
  describeCall(item: ResponseItem, whole: JsonFields): void {
    item.name ||= asText(whole["name"]);
    if (item.callId !== "") return;
    item.callId = asText(whole["call_id"]);
    const isKept = !this.isFull || this.#items.includes(item);
    if (item.callId !== "" && isKept) this.#byId.set(shortened(item.callId), item);
  }

  /** The items of a whole response, each with the one that came before it; undefined for those that did not. */
  match(wholes: readonly JsonFields[]): readonly [JsonFields, ResponseItem | undefined][] {
    const left = new Set(this.#items);
    const matches = wholes.slice(0, MAX_TURN_BLOCKS).map((whole) => new Match(whole));
    for (const how of ["isNamed", "isSame", "isAlike"] as const) {
      for (const match of matches) {
        if (match.found) continue;
        match.found = [...left].find((item) => item.kind === match.kind && match[how](item));
        if (match.found) left.delete(match.found);
      }
    }
    return matches.map(({ whole, found, callId }) => [
      whole,
      found ?? (callId === "" ? undefined : this.#items.find((item) => item.callId === callId)),
    ]);
  }
}

/** A whole item, and the one that came before it. */
class Match {
  readonly whole: JsonFields;
  readonly kind: string;
  found: ResponseItem | undefined;
  readonly #id: string;
  readonly callId: string;
  readonly #name: string;
  readonly #texts: SaidText;
  readonly #input: string | null;

  constructor(whole: JsonFields) {
    this.whole = whole;
    this.kind = kindOf(whole);
    this.#id = shortened(asText(whole["id"]));
    this.callId = asText(whole["call_id"]);
    this.#name = asText(whole["name"]);
    this.#texts = new SaidText(textsOf(whole).join(""));
    this.#input = inputText(whole["arguments"]);
  }

  isNamed({ id, callId }: ResponseItem): boolean {
    if (this.callId !== "" && callId !== "") return this.callId === callId;
    return this.#id !== "" && this.#id === id;
  }

  /** Ids are other ones in each event of some endpoints. */
  isSame({ kind, name, input, said }: ResponseItem): boolean {
    if (kind === "function_call") return name === this.#name && input === this.#input;
    return !said.isEmpty && said.isSameAs(this.#texts);
  }

  isAlike({ kind, name, callId }: ResponseItem): boolean {
    if (kind !== "function_call") return true;
    const isNamed = this.callId !== "" && callId !== "";
    return !isNamed && (name === "" || this.#name === "" || name === this.#name);
  }
}

/** Whether an item that is announced is one that is known: an index and an id may be used again. */
function isRepeated(known: ResponseItem, whole: JsonFields): boolean {
  const { id, callId, offered, isEnded, name } = known;
  if (!offered) return !isEnded;
  const [newId, newCallId] = [asText(whole["id"]), asText(whole["call_id"])];
  if (newCallId !== "" && callId !== "") return newCallId === callId;
  if (newId !== "" && id !== "") return newId === id;
  return !isEnded && known.index !== undefined && name === asText(whole["name"]);
}

function shortened(text: string): string {
  return text.length > MAX_KEPT_CHARACTERS ? `${text.length}:${shortHash(text)}` : text;
}

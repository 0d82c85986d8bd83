// Applies a JSON Patch (RFC 6902) to a session's shared state, as a whole or not at all, within the bounds of a state.
// Pure. The library changes the document; paths are resolved here, because the library follows inherited members and
// accepts any text as an index.
import jsonPatch, { type Operation } from "fast-json-patch";

import { MAX_INPUT_DEPTH } from "../../protocol/requests/limits.ts";
import { MAX_SHARED_STATE_BYTES } from "../../protocol/shared-state/limits.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import type { StateObject } from "../../protocol/shared-state/events.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { findMisfit } from "../json-schema/find-misfit.ts";
import { isTooDeep } from "./parse-input.ts";
import { isSameJson } from "./is-same-json.ts";

interface PatchFailure {
  /** `state_conflict`: the patch does not fit the state. `state_invalid`: the result would not be an allowed state. */
  readonly code: "state_conflict" | "state_invalid";
  readonly detail: string;
  /** Index of the failed operation; null when the result of all is not allowed. */
  readonly operation: number | null;
}

export type PatchOutcome =
  | { readonly ok: true; readonly state: StateObject }
  | ({ readonly ok: false } & PatchFailure);

/** @param schema JSON Schema that the new state has to fit. `state` and `patch` are not changed. */
export function applyPatch(
  state: StateObject,
  patch: readonly PatchOperation[],
  schema: JsonSchema | null = null,
): PatchOutcome {
  let document: unknown = jsonPatch.deepClone(state);
  let copied = 0;
  for (const [index, operation] of patch.entries()) {
    const failure = apply(operation);
    if (failure) return { ok: false, ...failure, operation: index };
  }
  return checkState(document, schema);

  function apply(operation: PatchOperation): Failure | null {
    const { op, path } = operation;
    switch (op) {
      case "test":
      case "replace":
      case "remove": {
        const found = locate(document, path);
        if (!found) return missing(path);
        if (op === "test") return checkTest(path, found.value, operation.value);
        change(op === "remove" ? { op, path } : { op, path, value: clone(operation.value) });
        return null;
      }
      case "add":
        return add(path, clone(operation.value));
      case "move":
      case "copy":
        return op === "move" ? move(operation.from, path) : copy(operation.from, path);
      default:
        return op satisfies never;
    }
  }

  function add(path: string, value: unknown): Failure | null {
    if (!canAdd(document, path)) return conflict(`nothing can be added at ${quote(path)}`);
    change({ op: "add", path, value });
    return null;
  }

  /** A move costs nothing, whatever its size; the depth is checked once, on the result of the whole patch. */
  function move(from: string, path: string): Failure | null {
    const found = locate(document, from);
    if (!found) return missing(from);
    if (path.startsWith(`${from}/`)) return conflict(`${quote(from)} cannot move into itself`);
    change({ op: "remove", path: from });
    return add(path, found.value);
  }

  /** Bounded: repeated copies within one patch could double a state each time. */
  function copy(from: string, path: string): Failure | null {
    const found = locate(document, from);
    if (!found) return missing(from);
    if (isTooDeep(found.value)) return invalid(TOO_DEEP);
    copied += JSON.stringify(found.value).length;
    return copied > MAX_SHARED_STATE_BYTES ? invalid(TOO_LARGE) : add(path, clone(found.value));
  }

  function change(operation: Operation): void {
    document = jsonPatch.applyOperation(document, operation).newDocument;
  }
}

type Failure = Omit<PatchFailure, "operation">;

/** Cloned, since later operations change it, and the patch itself goes into the log. */
function clone(value: unknown): unknown {
  return jsonPatch.deepClone(value);
}

const TOO_DEEP = `a state may have ${MAX_INPUT_DEPTH} levels at most`;
const TOO_LARGE = `a state may take ${MAX_SHARED_STATE_BYTES} bytes as JSON at most`;

function checkState(document: unknown, schema: JsonSchema | null): PatchOutcome {
  const problem = isObject(document) ? findProblem(document, schema) : "a state is an object";
  if (problem === null) return { ok: true, state: document as StateObject };
  return { ok: false, ...invalid(problem), operation: null };
}

function findProblem(state: StateObject, schema: JsonSchema | null): string | null {
  if (isTooDeep(state)) return TOO_DEEP;
  if (utf8Bytes(JSON.stringify(state)) > MAX_SHARED_STATE_BYTES) return TOO_LARGE;
  if (!schema) return null;
  const misfit = findMisfit(state, schema, { schemaName: "the agent's schema" });
  return misfit && `the state that it would become ${misfit.text}`;
}

function checkTest(path: string, found: unknown, wanted: unknown): Failure | null {
  if (isSameJson(found, wanted)) return null;
  return conflict(`the test of ${quote(path)} failed: another value is there`);
}

/** Resolves a pointer through own members and elements only; null when there is nothing. */
function locate(document: unknown, pointer: string): { readonly value: unknown } | null {
  let value = document;
  for (const name of namesOf(pointer)) {
    if (typeof value !== "object" || value === null) return null;
    if (Array.isArray(value) && !isIndex(name, value.length - 1)) return null;
    if (!Object.hasOwn(value, name)) return null;
    value = (value as StateObject)[name];
  }
  return { value };
}

function canAdd(document: unknown, pointer: string): boolean {
  const names = namesOf(pointer);
  const name = names.at(-1);
  if (name === undefined) return true;
  const parent = locate(document, pointer.slice(0, pointer.lastIndexOf("/")))?.value;
  if (Array.isArray(parent)) return name === "-" || isIndex(name, parent.length);
  return isObject(parent);
}

function isIndex(name: string, max: number): boolean {
  return /^(?:0|[1-9]\d{0,8})$/.test(name) && Number(name) <= max;
}

function namesOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function isObject(value: unknown): value is StateObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function missing(pointer: string): Failure {
  return conflict(`there is nothing at ${quote(pointer)}`);
}

/** Shortens a pointer for the text of a problem. */
function quote(pointer: string): string {
  return JSON.stringify(pointer.length > 100 ? `${pointer.slice(0, 100)}…` : pointer);
}

function conflict(detail: string): Failure {
  return { code: "state_conflict", detail };
}

function invalid(detail: string): Failure {
  return { code: "state_invalid", detail };
}

// The state that a session's app and its agent share.
import {
  JsonPatchSchema,
  MoveOperationSchema,
  PatchOperationSchema,
  RemoveOperationSchema,
  SharedStateSchema,
  ValueOperationSchema,
} from "../../protocol/api/shared-state.ts";
import type { Resource } from "../resource.ts";

export const SHARED_STATE = {
  operations: {
    readSharedState: {
      tag: "Sessions",
      summary: "Read the state that the app and the agent share",
      description:
        "With its version, also as `ETag`, and the stream position that it is folded to: events after `cursor` named `shared_state_updated` carry what changes it later.",
      answers: {
        200: {
          description: "The state.",
          json: "SharedState",
          headers: ["ETag"],
          examples: ["sharedState"],
        },
      },
    },
    patchSharedState: {
      tag: "Sessions",
      summary: "Change the state that the app and the agent share",
      description: [
        "A JSON Patch, whole or not at all, at any time; the model is told before its next call. The change is in the log as",
        "`CUSTOM shared_state_updated`. With `If-Match` it is made only at that version. A patch that changes nothing makes no",
        "version. A client token needs `read` beside `reply`.",
      ].join(" "),
      headers: ["If-Match"],
      body: { schema: "JsonPatch", examples: ["statePatch"] },
      answers: {
        200: { description: "The state after it.", json: "SharedState", headers: ["ETag"] },
      },
      errors: ["state_conflict", "version_mismatch", "state_invalid"],
    },
  },
  requestSchemas: {
    JsonPatch: JsonPatchSchema,
    PatchOperation: PatchOperationSchema,
    PatchValue: ValueOperationSchema,
    PatchRemoval: RemoveOperationSchema,
    PatchMove: MoveOperationSchema,
  },
  answerSchemas: {
    SharedState: SharedStateSchema,
  },
  schemaDescriptions: {
    JsonPatch:
      "Changes in their order, as RFC 6902 has them; all of them are made or none. 128 KB at most.",
    PatchMove: "Puts what is at one place to another one.",
    PatchOperation: "One change, or one test.",
    PatchRemoval: "Takes a value away.",
    PatchValue: "Puts a value somewhere, or tests the one that is there.",
    SharedState: "What a session's app and its agent share.",
  },
  fieldDescriptions: {
    "PatchValue.op": "`test` fails the whole patch unless the value is there.",
    "PatchValue.path":
      "JSON pointer of the place; `/-` at its end is behind a list's last element.",
    "PatchValue.value": "What is put there, or has to be there.",
    "PatchRemoval.op": "What is done.",
    "PatchRemoval.path": "JSON pointer of what is taken away.",
    "PatchMove.op": "What is done.",
    "PatchMove.from": "JSON pointer of what is moved or copied.",
    "PatchMove.path": "JSON pointer of its new place.",
    "SharedState.state": "The state; `{}` before it is first changed.",
    "SharedState.version": "How often it was changed.",
    "SharedState.cursor": "The stream position that it is folded to: later events change it.",
  },
  examples: {
    sharedState: {
      summary: "A form that is filled in together",
      value: { state: { order_id: "A-1001", items: ["lamp"] }, version: 2, cursor: 41 },
    },
    statePatch: {
      summary: "One more item, unless the order is another one meanwhile",
      value: [
        { op: "test", path: "/order_id", value: "A-1001" },
        { op: "add", path: "/items/-", value: "bulb" },
      ],
    },
  },
} as const satisfies Resource;

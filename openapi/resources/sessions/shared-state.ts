// The state that a session's app and its agent share.
import { JsonPatchSchema, SharedStateSchema } from "../../../protocol/shared-state/contract.ts";
import type { Resource } from "../../resource.ts";

export const SHARED_STATE = {
  operations: {
    readSharedState: {
      tag: "Sessions",
      summary: "Get the shared state",
      description:
        "With its version, also as `ETag`, and its stream position: events named `shared_state_updated` after `cursor` have the later changes.",
      answers: {
        200: {
          description: "The state.",
          json: SharedStateSchema,
          headers: ["ETag"],
          examples: ["sharedState"],
        },
      },
    },
    patchSharedState: {
      tag: "Sessions",
      summary: "Update the shared state",
      description: [
        "Applies a JSON Patch as a whole or not at all, at any time; the model sees the state before its next call. The",
        "change is in the log as `CUSTOM shared_state_updated`. With `If-Match` it is applied only at that version. A",
        "patch that changes nothing creates no version. Needs the right to read too: the scope",
        "`sessions:read`, or the verb `read`.",
      ].join(" "),
      headers: ["If-Match"],
      request: { json: JsonPatchSchema, examples: ["statePatch"] },
      answers: {
        200: { description: "The state after it.", json: SharedStateSchema, headers: ["ETag"] },
      },
      errors: ["state_conflict", "version_mismatch", "state_invalid"],
    },
  },

  fieldDescriptions: {
    "PatchValue.op": "`test` fails the whole patch unless the place has this value.",
    "PatchValue.path": "JSON pointer of the place; `/-` at its end appends to a list.",
    "PatchValue.value": "The value to set or to compare with.",
    "PatchRemoval.op": "What is done.",
    "PatchRemoval.path": "JSON pointer of the removed value.",
    "PatchMove.op": "What is done.",
    "PatchMove.from": "JSON pointer of the value to move or copy.",
    "PatchMove.path": "JSON pointer of its new place.",
    "SharedState.state": "The state; `{}` before it is first changed.",
    "SharedState.version": "The number of changes so far.",
    "SharedState.cursor": "Its stream position: later events change it.",
  },
  examples: {
    sharedState: {
      summary: "A form that the app and the agent fill in",
      value: { state: { order_id: "A-1001", items: ["lamp"] }, version: 2, cursor: 41 },
    },
    statePatch: {
      summary: "One more item, if the order is still the same",
      value: [
        { op: "test", path: "/order_id", value: "A-1001" },
        { op: "add", path: "/items/-", value: "bulb" },
      ],
    },
  },
} as const satisfies Resource;

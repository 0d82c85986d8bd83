// Words of fields that the schemas of this room have.
export const SHARED_STATE_WORDS = {
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
} as const;

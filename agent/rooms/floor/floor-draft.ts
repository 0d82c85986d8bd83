// A step of the floor that is being made.
import type { FloorEffect } from "./floor-input.ts";
import type { FloorItem, FloorState } from "./floor-state.ts";

export interface FloorDraft {
  readonly now: number;
  state: FloorState;
  readonly effects: FloorEffect[];
}

export function change(draft: FloorDraft, members: Partial<FloorState>): void {
  draft.state = { ...draft.state, ...members };
}

export function changeItem(draft: FloorDraft, changed: FloorItem): void {
  const items = draft.state.items.map((item) => (item.item === changed.item ? changed : item));
  change(draft, { items });
}

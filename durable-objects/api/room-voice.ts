// Frames of a voice connection between a room's object and a participant's session, beside those that any client gets: whose
// audio comes, and when the log has what was heard.

/** The frame of a room by which a person goes before what is said. */
export const CUT_IN = '{"type":"cut_in"}';

export type RoomLineFrame =
  /** Audio of this item follows. */
  | { readonly type: "item"; readonly item: number; readonly reply_id: string }
  /** A model call of the reply is being said. */
  | { readonly type: "reply_began"; readonly reply_id: string }
  /** All that the reply has said so far is said aloud. */
  | { readonly type: "reply_said"; readonly reply_id: string }
  /** Something of a reply that has ended is in the log now. */
  | { readonly type: "changed" }
  /** The log has what was heard of all that {@link CUT_IN} has cut off. */
  | { readonly type: "cut_settled" };

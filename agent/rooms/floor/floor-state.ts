// The state of the floor: plain data, lost with the machine. Nothing in it is a promise; a discussion goes on in writing.

export interface FloorState {
  /** People who are connected. */
  readonly people: readonly FloorPerson[];
  /** The person who speaks. */
  readonly speaker: FloorSpeaker | null;
  /** Turns of people that are being written down. */
  readonly writing: number;
  /** Replies that are said aloud, oldest first. */
  readonly replies: readonly SpokenReply[];
  /** Items of agents that are not played yet, oldest first. */
  readonly items: readonly FloorItem[];
  /** Agents who were cut off, until the room has what was heard of them. */
  readonly cuts: readonly FloorCut[];
  readonly next_item: number;
  /** Time of the last audio of a person, or of an agent. */
  readonly active_ms: number;
}

interface FloorPerson {
  readonly participant: string;
  /** Whether the person's client says what it has played. */
  readonly reports: boolean;
}

interface FloorSpeaker {
  readonly participant: string;
  /** People who were told that the floor is taken. */
  readonly told: readonly string[];
}

interface SpokenReply {
  readonly participant: string;
  readonly reply_id: string;
  /** When its turn has ended, or audio of it came last behind that; null while the turn goes on. */
  readonly ended_ms: number | null;
}

interface FloorCut {
  readonly participant: string;
  readonly at_ms: number;
  /** The session has cut: whatever comes from then on was said behind it. */
  readonly is_over: boolean;
}

export interface FloorItem {
  /** The room's number, and the one that it has in the agent's session. */
  readonly item: number;
  readonly agent_item: number;
  readonly participant: string;
  readonly reply_id: string;
  /** Milliseconds of audio that were sent. */
  readonly ms: number;
  /** When its first sample can be heard. */
  readonly plays_ms: number;
  readonly is_done: boolean;
  /** The most that a person has played. */
  readonly played_ms: number;
  /** The part of that which the session was told, and when. */
  readonly told_ms: number;
  readonly told_at_ms: number;
  /** Set when its rest was taken back: since when, and who has not said what they have played. */
  readonly cleared: { readonly at_ms: number; readonly awaited: readonly string[] } | null;
}

export function openFloor(nextItem = 1): FloorState {
  return {
    people: [],
    speaker: null,
    writing: 0,
    replies: [],
    items: [],
    cuts: [],
    next_item: nextItem,
    active_ms: 0,
  };
}

/** True while somebody speaks, or is answered: no other turn may begin. */
export function isTaken({ speaker, writing, replies, items, cuts }: FloorState): boolean {
  return (
    speaker !== null || writing > 0 || replies.length > 0 || items.length > 0 || cuts.length > 0
  );
}

/** True while an agent is heard, or about to be: whoever goes before it cuts it off. */
export function isSaid({ replies, items }: FloorState): boolean {
  return replies.length > 0 || items.some(({ cleared }) => cleared === null);
}

/** Whether the person is heard now. */
export function mayBeHeard({ speaker }: FloorState, participant: string): boolean {
  return speaker === null || speaker.participant === participant;
}

/** Whether what comes of the agent was said before it was cut off. */
export function isCut({ cuts }: FloorState, name: string): boolean {
  return cuts.some(({ participant, is_over }) => participant === name && !is_over);
}

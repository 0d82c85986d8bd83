// Whether a press was meant for what it hit. A list that others change puts another card under a pointer that was about
// to press: so a press counts on what has been where it is for half a second, and a key that is held down counts once.

/** Milliseconds for which a control, and the focus of a key, has to be where it is: a person needs as long to see it. */
export const AIM_MS = 500;
/** Pixels that a browser may round away. */
const SAME_PLACE_PIXELS = 2;

interface Place {
  readonly left: number;
  readonly top: number;
}

/** A control as it was seen. */
interface Sight {
  /** Call and question that it answers. */
  readonly edition: string;
  /** In the window: a list that is scrolled puts other controls under the pointer. */
  readonly place: Place;
}

/** A control, and since when it has been where it is. */
export interface Stand extends Sight {
  readonly sinceMs: number;
}

/** After another look at a control. The place is compared with the first one, so that slow drifting counts too. */
export function standOf(
  before: Stand | undefined,
  { edition, place }: Sight,
  nowMs: number,
): Stand {
  const isSame = before !== undefined && before.edition === edition && isNear(before.place, place);
  return isSame ? before : { edition, place, sinceMs: nowMs };
}

function isNear(one: Place, other: Place): boolean {
  return (
    Math.abs(one.left - other.left) <= SAME_PLACE_PIXELS &&
    Math.abs(one.top - other.top) <= SAME_PLACE_PIXELS
  );
}

interface Press {
  readonly stand: Stand;
  /** When the focus came to the card, for a key; null for a pointer. */
  readonly focusedSinceMs: number | null;
  /** The key is held down. */
  readonly isRepeat: boolean;
}

export type Verdict = "aimed" | "held down" | "moved" | "just focused";

export function judgePress({ stand, focusedSinceMs, isRepeat }: Press, nowMs: number): Verdict {
  if (isRepeat) return "held down";
  if (nowMs - stand.sinceMs < AIM_MS) return "moved";
  return focusedSinceMs !== null && nowMs - focusedSinceMs < AIM_MS ? "just focused" : "aimed";
}

/** Words for a press that did not count; null for one that a person need not be told of. */
export function missedWords(verdict: Verdict): string | null {
  switch (verdict) {
    case "moved":
      return "That card had just moved or changed, so the press was not counted. Press again.";
    case "just focused":
      return "That card has only just been reached, so the key was not counted. Press again.";
    case "held down":
    case "aimed":
      return null;
    default:
      return verdict satisfies never;
  }
}

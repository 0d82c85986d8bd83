// Turns of people on their way to the room's log: written down beside each other, and said one after the other, as they have ended.
import type { HeardAudio } from "../../model/voice/heard-turns.ts";
import { accept, type Result } from "../../protocol/errors.ts";
import { MAX_WRITTEN_TURNS } from "./limits.ts";
import type { OpenRoom } from "./open-room.ts";
import type { Person } from "./person.ts";
import { say, writtenTurn } from "./say-turn.ts";

export class SpokenTurns {
  readonly #room: OpenRoom;
  /** A turn is a message now, or never will be. */
  readonly #settled: (participant: string) => void;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** Turns that are being written down. */
  #writing = 0;

  constructor(room: OpenRoom, settled: (participant: string) => void) {
    this.#room = room;
    this.#settled = settled;
  }

  /** False when too many are being written down, which the person is told. */
  mayWrite({ client }: Person): boolean {
    if (this.#writing < MAX_WRITTEN_TURNS) return true;
    client.fail("rate_limited", "too many turns are being written down");
    return false;
  }

  /** In the background. A refusal is told to the person. */
  write({ participant, actor, client }: Person, audio: HeardAudio): void {
    this.#count += 1;
    this.#writing += 1;
    const writing = writtenTurn(this.#room, { participant, audio, item: this.#count });
    const said = this.#last.then(async (): Promise<Result<unknown>> => {
      const written = await writing;
      if (!written.ok) return written;
      const message = written.value;
      return say(this.#room, { participant, actor }, { message, on_busy: "queue" });
    });
    this.#last = said
      .catch((error: unknown) => {
        console.error("what a person said is in no message", { error: String(error) });
        client.fail("internal", "what was said could not be stored; say it again");
        return accept(null);
      })
      .then((result) => {
        if (!result.ok) client.fail(result.refusal.code, result.refusal.detail);
        this.#writing -= 1;
        this.#settled(participant);
      });
    this.#room.inBackground(this.#last);
  }
}

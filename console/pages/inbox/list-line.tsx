import { Keyboard } from "lucide-react";

import { DELAYS_SECONDS } from "./undo-queue.ts";

interface ListLineProps {
  /** Calls that can be chosen, and those that are. */
  readonly choosable: number;
  readonly chosen: number;
  readonly mayChoose: boolean;
  readonly onChoose: (isAll: boolean) => void;
  /** Cards that only stay until they are put away. */
  readonly answered: number;
  readonly onPutAway: () => void;
  /** The platform does not answer. */
  readonly isOld: boolean;
  readonly delaySeconds: number;
  readonly onDelay: (seconds: number) => void;
  readonly onHelp: () => void;
}

/** The line above the list. It is there in every state, so that none of its parts moves the cards when it comes. */
export function ListLine(props: ListLineProps) {
  const { choosable, chosen, mayChoose, onChoose, answered, onPutAway, isOld } = props;
  const { delaySeconds, onDelay, onHelp } = props;
  return (
    <div className="list-line" role="group" aria-label="The list" tabIndex={-1}>
      {mayChoose && (
        <label className="check-field">
          <input
            type="checkbox"
            disabled={choosable === 0}
            checked={choosable > 0 && chosen === choosable}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
          Choose all {choosable > 0 && choosable}
        </label>
      )}
      <button
        type="button"
        className="button button-small"
        disabled={answered === 0}
        onClick={onPutAway}
      >
        Put {answered > 0 && answered} answered away
      </button>
      <span role="status" className="list-line-fill">
        {isOld && "The platform does not answer: this list may be old."}
      </span>
      {mayChoose && (
        <label className="check-field">
          Time to undo
          <select
            className="input"
            value={delaySeconds}
            onChange={({ currentTarget }) => onDelay(Number(currentTarget.value))}
          >
            {DELAYS_SECONDS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds === 0 ? "none" : `${seconds} s`}
              </option>
            ))}
          </select>
        </label>
      )}
      <button type="button" className="button button-small" aria-keyshortcuts="?" onClick={onHelp}>
        <Keyboard size={16} aria-hidden />
        Keys
      </button>
    </div>
  );
}

import { pathOf, pointerOf } from "../../components/schema-form/pointers.ts";

interface ProblemListProps {
  readonly errors: ReadonlyMap<string, string>;
  /** A refusal that names no place. */
  readonly problem: string | null;
}

/** All that is wrong; each leads to its field, or to the nearest one that holds it. */
export function ProblemList({ errors, problem }: ProblemListProps) {
  if (errors.size === 0 && problem === null) return null;
  return (
    <div className="problem-list" role="alert">
      {problem !== null && <p>{problem}</p>}
      {errors.size > 0 && (
        <ul aria-label="Problems">
          {[...errors].map(([pointer, message]) => (
            <li key={pointer}>
              <button type="button" className="link-button" onClick={() => showField(pointer)}>
                <code>{pathOf(pointer).join(" › ") || "definition"}</code>
              </button>{" "}
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function showField(pointer: string): void {
  const path = pathOf(pointer);
  for (let length = path.length; length > 0; length -= 1) {
    const place = CSS.escape(pointerOf(path.slice(0, length)));
    const field = document.querySelector(`[data-pointer="${place}"]`);
    if (field) {
      field.scrollIntoView({ block: "center" });
      field.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
      return;
    }
  }
}

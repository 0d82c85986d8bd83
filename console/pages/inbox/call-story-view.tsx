import type { useCallStory } from "./use-call-story.ts";
import { stateWords, type StoryStep } from "./call-story.ts";

interface CallStoryViewProps {
  readonly state: ReturnType<typeof useCallStory>;
  readonly endUserId: string | null;
  /** All of it, and not its first lines. */
  readonly isWhole: boolean;
}

/** The end user's last words and what the agent has done since. It takes the same room before and after it is read. */
export function CallStoryView({ state, endUserId, isWhole }: CallStoryViewProps) {
  const story = state.type === "read" ? state.story : null;
  const steps = story ? (isWhole ? story.steps : story.steps.slice(-3)) : [];
  return (
    <section className="call-story" aria-label="What led to it" data-whole={isWhole || undefined}>
      {story?.lastWords ? (
        <blockquote className="call-words">
          <span className="quiet">{endUserId ?? "The end user"}: </span>“{story.lastWords}”
        </blockquote>
      ) : (
        <p className="call-words quiet">{WORDS[state.type]}</p>
      )}
      <p className="call-steps quiet">
        {story &&
          (steps.length === 0
            ? "The agent has done nothing else since."
            : steps.map((step, index) => <Step key={index} step={step} isFirst={index === 0} />))}
      </p>
    </section>
  );
}

const WORDS = {
  loading: "Reading the conversation…",
  forbidden: "This console may not read conversations (scope sessions:read).",
  failed: "The conversation could not be read.",
  read: "The conversation has no words of the end user here: see the session.",
} as const;

function Step({ step, isFirst }: { readonly step: StoryStep; readonly isFirst: boolean }) {
  return (
    <>
      {isFirst ? "Before: " : " · "}
      {step.type === "said" ? (
        <>said “{step.text}”</>
      ) : (
        <>
          <span className="code">{step.toolName}</span> {stateWords(step.state)}
        </>
      )}
    </>
  );
}

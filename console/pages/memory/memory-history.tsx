import type { MemoryVersion } from "../../../sdk/index.ts";
import { DiffText } from "../../components/diff/diff-text.tsx";
import { OriginLinks, UntrustedBadge } from "../../components/memory/memory-origin.tsx";
import { TimeStamp } from "../../components/time-stamp.tsx";
import { wordsOfVersion } from "./version-words.ts";

interface MemoryHistoryProps {
  /** Of one memory, newest first. */
  readonly versions: readonly MemoryVersion[];
}

/** Words of a memory, version by version, with what each took the place of. */
export function MemoryHistory({ versions }: MemoryHistoryProps) {
  const byId = new Map(versions.map((version) => [version.id, version]));
  return (
    <section className="memory-history" aria-label="History">
      <h2>History</h2>
      <ol className="card-list" aria-label="Versions of this memory">
        {versions.map((version, index) => (
          <li key={version.id}>
            <VersionCard
              version={version}
              isNewest={index === 0}
              before={version.supersedes === null ? undefined : byId.get(version.supersedes)}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface VersionCardProps {
  readonly version: MemoryVersion;
  readonly isNewest: boolean;
  /** The version that it took the place of; undefined for the first one, and for one that is not kept. */
  readonly before: MemoryVersion | undefined;
}

function VersionCard({ version, isNewest, before }: VersionCardProps) {
  const { version: number, content, path, untrusted, source, created_at, redacted_at } = version;
  const hasMoved = before !== undefined && before.path !== path && redacted_at === null;
  return (
    <article className="check-finding memory-version" aria-label={`Version ${number}`}>
      <div className="version-head">
        <strong>v{number}</strong>
        {isNewest && redacted_at === null && <span className="badge">newest</span>}
        <span>{wordsOfVersion(version)}</span>
        <UntrustedBadge untrusted={untrusted} />
        <span className="quiet">
          <TimeStamp at={created_at} />
        </span>
      </div>
      {content === null ? (
        <p className="quiet">
          <em>Redacted</em>
        </p>
      ) : before && before.content !== null && before.content !== content ? (
        <DiffText before={before.content} after={content} />
      ) : (
        <p className="plain-text" dir="auto">
          {content}
        </p>
      )}
      {hasMoved && (
        <p className="quiet">
          Its path: <span className="code">{before.path ?? "none"}</span> →{" "}
          <span className="code">{path ?? "none"}</span>
        </p>
      )}
      <p className="quiet">
        <OriginLinks source={source} />
      </p>
    </article>
  );
}

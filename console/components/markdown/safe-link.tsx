import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

const SCHEMES = new Set(["http:", "https:", "mailto:"]);

interface SafeLinkProps {
  /** Address of untrusted origin. */
  readonly url: string;
  readonly children: ReactNode;
}

/**
 * A link of untrusted text: with the host that it goes to behind its words, and without a word to that host of where
 * the reader came from. An address that a browser could run is no link.
 */
export function SafeLink({ url, children }: SafeLinkProps) {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (!target || !SCHEMES.has(target.protocol)) {
    return (
      <>
        {children} <span className="quiet">({url.slice(0, 200)})</span>
      </>
    );
  }
  const place = target.protocol === "mailto:" ? target.pathname : target.host;
  return (
    <>
      <a
        href={target.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="safe-link"
      >
        {children}
        <ExternalLink size={12} aria-hidden />
        <span className="visually-hidden"> (opens in a new tab)</span>
      </a>{" "}
      <span className="quiet link-host">({place})</span>
    </>
  );
}

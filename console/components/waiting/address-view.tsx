import { ExternalLink } from "lucide-react";

import { CopyButton } from "../copy-button.tsx";

interface AddressViewProps {
  /** Address of untrusted origin. */
  readonly url: string;
  /** Purpose of the page, such as "sign-in page". */
  readonly what: string;
  /** The person has opened the address, or has taken it along to another browser. */
  readonly onOpened?: () => void;
}

/**
 * An address as a whole, with the host that it leads to standing out, and a link that opens it in a new tab. Nothing opens it
 * by itself, and the opened page has no tie to this one: it neither reaches this window nor learns of its address.
 */
export function AddressView({ url, what, onOpened }: AddressViewProps) {
  const target = openable(url);
  if (!target) {
    return (
      <p className="address code" role="note">
        {url} <span className="quiet">(not an address that can be opened safely)</span>
      </p>
    );
  }
  const { protocol, host, href } = target;
  const start = `${protocol}//`;
  return (
    <div className="address">
      <div
        className="address-text code"
        role="group"
        aria-label={`Address of the ${what}`}
        tabIndex={0}
      >
        <span className="quiet">{start}</span>
        <strong>{host}</strong>
        <span className="quiet">{href.slice(start.length + host.length)}</span>
      </div>
      {protocol === "http:" && !isOwnMachine(target) && (
        <p className="field-error">The connection to this page is not encrypted.</p>
      )}
      <div className="button-row">
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          className="button button-link"
          onClick={onOpened}
          onAuxClick={onOpened}
        >
          <ExternalLink size={16} aria-hidden />
          Open the {what}
          <span className="visually-hidden"> at {host} (opens in a new tab)</span>
        </a>
        <span onClickCapture={onOpened}>
          <CopyButton text={href} what={`address of the ${what}`} />
        </span>
      </div>
    </div>
  );
}

/** Null for another scheme, and where a user name could pass for the host. */
function openable(url: string): URL | null {
  const target = URL.canParse(url) ? new URL(url) : null;
  if (!target || target.username !== "" || target.password !== "") return null;
  return target.protocol === "https:" || target.protocol === "http:" ? target : null;
}

function isOwnMachine({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

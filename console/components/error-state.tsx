import { Hourglass, TriangleAlert } from "lucide-react";

import { ApiError, ConnectionError } from "../../sdk/index.ts";
import { sentenceOf } from "./failure-text.ts";
import { NotFoundPage } from "./not-found-page.tsx";

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** The query is the page's own, with nothing that a person has typed: a platform that refuses it is older than the page. */
  readonly isOwnQuery?: boolean;
}

/** A failed request or page: what happened, what to name when it is reported, and a way to try again. */
export function ErrorState({ error, onRetry, isOwnQuery = false }: ErrorStateProps) {
  if (isOwnQuery && ApiError.isInstance(error) && error.status === 400) return <NotYet />;
  if (ApiError.isInstance(error) && error.code === "not_found") {
    return isUnknownRoute(error) ? <NotYet /> : <NotFoundPage />;
  }
  const requestId = ApiError.isInstance(error) ? error.requestId : null;
  return (
    <div role="alert" className="empty-state">
      <TriangleAlert size={32} aria-hidden />
      <h2>{titleOf(error)}</h2>
      <p>{detailOf(error)}</p>
      {requestId !== null && <p className="quiet">Request {requestId}</p>}
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** The page's release may be newer than the platform's: then the platform lacks a route that the page asks for. */
function isUnknownRoute(error: ApiError): boolean {
  return error.detail.startsWith("there is no route ");
}

function NotYet() {
  return (
    <div className="empty-state">
      <Hourglass size={32} aria-hidden />
      <h2>This platform does not have that yet</h2>
      <p>
        The page is of a newer release than the platform behind it. Reload when the platform was
        updated, or ask its operator.
      </p>
    </div>
  );
}

function titleOf(error: unknown): string {
  if (ConnectionError.isInstance(error)) return "The platform does not answer";
  if (ApiError.isInstance(error) && error.status === 403) return "This console may not do that";
  return "That did not work";
}

function detailOf(error: unknown): string {
  if (!ApiError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  return sentenceOf(error.detail);
}

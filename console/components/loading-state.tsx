import { LoaderCircle } from "lucide-react";

/** That something is on its way. Shown after a moment, so that what is there at once does not flicker. */
export function LoadingState({ label = "Loading…" }: { readonly label?: string }) {
  return (
    <p role="status" className="loading-state">
      <LoaderCircle size={18} aria-hidden className="spinner" />
      {label}
    </p>
  );
}

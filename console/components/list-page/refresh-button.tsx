import { RefreshCw } from "lucide-react";

/** Reads a list anew, from its first page. */
export function RefreshButton({ onPress }: { readonly onPress: () => void }) {
  return (
    <button type="button" className="button" onClick={onPress}>
      <RefreshCw size={16} aria-hidden />
      Refresh
    </button>
  );
}

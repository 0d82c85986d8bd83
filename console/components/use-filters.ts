import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

export interface Filters {
  /** Filters that are set, by name. */
  readonly values: Readonly<Record<string, string>>;
  /** An empty value takes the filter off. */
  readonly set: (name: string, value: string) => void;
  /** Several at once. */
  readonly change: (values: Readonly<Record<string, string>>) => void;
  readonly clear: () => void;
}

/** The filters in the query of the address. Changing one replaces the entry of the history. */
export function useFilters(): Filters {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  return useMemo(() => {
    const values = Object.fromEntries(
      Object.entries(search).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
      ),
    );
    const go = (next: Record<string, string>) =>
      void navigate({ to: ".", search: next as never, replace: true });
    return {
      values,
      set: (name, value) => go({ ...values, [name]: value }),
      change: (changed) => go({ ...values, ...changed }),
      clear: () => go({}),
    };
  }, [search, navigate]);
}

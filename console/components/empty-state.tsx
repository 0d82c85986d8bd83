import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  /** Advice about the next step. */
  readonly children: ReactNode;
}

/** A list without entries: why, and what to do next. */
export function EmptyState({ icon: Icon, title, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <Icon size={32} aria-hidden />
      <h2>{title}</h2>
      {children}
    </div>
  );
}

ALTER TABLE `usage` ADD `audio_input_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `audio_output_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `audio_input_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage` ADD `audio_output_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `audio_input_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `audio_output_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `audio_input_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `audio_output_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_end_users` ADD `audio_input_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_end_users` ADD `audio_output_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_end_users` ADD `audio_input_tokens` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_end_users` ADD `audio_output_tokens` integer DEFAULT 0 NOT NULL;
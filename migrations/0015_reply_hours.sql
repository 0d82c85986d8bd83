-- Replies by hour, agent and model, for plots. A row has a size of its own, whatever is counted in it.
CREATE TABLE `reply_hours` (
	`tenant_id` text NOT NULL,
	`hour` text NOT NULL,
	`agent_id` text NOT NULL,
	`model_name` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `hour`, `agent_id`, `model_name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `reply_hours_hour` ON `reply_hours` (`hour`);
--> statement-breakpoint
CREATE TRIGGER `reply_hours_sized` AFTER INSERT ON `reply_hours` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = `database_bytes` + 800 WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `reply_hours_unsized` AFTER DELETE ON `reply_hours` BEGIN
  UPDATE `tenant_counts` SET `database_bytes` = max(`database_bytes` - (800), 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;

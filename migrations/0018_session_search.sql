-- The search over sessions: whether a tenant has an index, how large it is, and which sessions it has to look at again. Only
-- tenants that search have rows.
CREATE TABLE `search_changes` (
	`tenant_id` text NOT NULL,
	`session_id` text NOT NULL,
	`mark` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `session_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `search_indexes` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`enabled` integer NOT NULL,
	`made` text NOT NULL,
	`bytes` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `search_indexes_left` ON `search_indexes` (`tenant_id`) WHERE "search_indexes"."enabled" = 0 AND "search_indexes"."bytes" > 0;
--> statement-breakpoint
CREATE TRIGGER `sessions_searched` AFTER INSERT ON `sessions` WHEN NEW.`title` IS NOT NULL
  AND EXISTS (SELECT 1 FROM `search_indexes` WHERE `tenant_id` = NEW.`tenant_id` AND `enabled`) BEGIN
  INSERT INTO `search_changes` (`tenant_id`, `session_id`, `mark`)
    VALUES (NEW.`tenant_id`, NEW.`id`, abs(random() % 9007199254740991))
    ON CONFLICT DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `sessions_retitled` AFTER UPDATE OF `title`, `deleted_at` ON `sessions` WHEN (NEW.`title` IS NOT OLD.`title` OR NEW.`deleted_at` IS NOT OLD.`deleted_at`)
  AND EXISTS (SELECT 1 FROM `search_indexes` WHERE `tenant_id` = NEW.`tenant_id` AND `enabled`) BEGIN
  INSERT INTO `search_changes` (`tenant_id`, `session_id`, `mark`)
    VALUES (NEW.`tenant_id`, NEW.`id`, abs(random() % 9007199254740991))
    ON CONFLICT DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_searched` AFTER INSERT ON `session_states` WHEN NEW.`first_words` IS NOT NULL
  AND EXISTS (SELECT 1 FROM `search_indexes` WHERE `tenant_id` = NEW.`tenant_id` AND `enabled`) BEGIN
  INSERT INTO `search_changes` (`tenant_id`, `session_id`, `mark`)
    VALUES (NEW.`tenant_id`, NEW.`session_id`, abs(random() % 9007199254740991))
    ON CONFLICT DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `session_states_researched` AFTER UPDATE OF `first_words` ON `session_states` WHEN NEW.`first_words` IS NOT OLD.`first_words`
  AND EXISTS (SELECT 1 FROM `search_indexes` WHERE `tenant_id` = NEW.`tenant_id` AND `enabled`) BEGIN
  INSERT INTO `search_changes` (`tenant_id`, `session_id`, `mark`)
    VALUES (NEW.`tenant_id`, NEW.`session_id`, abs(random() % 9007199254740991))
    ON CONFLICT DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_indexes_counted` AFTER INSERT ON `search_indexes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = `stored_bytes` + NEW.`bytes` WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_indexes_recounted` AFTER UPDATE OF `bytes` ON `search_indexes` WHEN NEW.`bytes` <> OLD.`bytes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` + NEW.`bytes` - OLD.`bytes`, 0) WHERE `tenant_id` = NEW.`tenant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `search_indexes_uncounted` AFTER DELETE ON `search_indexes` BEGIN
  UPDATE `tenant_counts` SET `stored_bytes` = max(`stored_bytes` - OLD.`bytes`, 0) WHERE `tenant_id` = OLD.`tenant_id`;
END;

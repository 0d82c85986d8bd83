// Amounts of money in answers.
import * as z from "zod";

/** Sums are kept in billionths of a dollar, as whole numbers. */
export const NANODOLLARS = 1_000_000_000;

/** US dollars by the vendor's list prices, rounded to a billionth; null when any part of it is not known. */
export const CostSchema = z.number().nonnegative().nullable();

// The memories of the bench's stores: sentences with words that all of them have, that half of them have, and that one has.

const DRINKS = ["green tea", "black coffee", "mint lemonade", "apple juice", "cold milk"];
const PLACES = ["東京タワー", "大阪城", "京都駅", "札幌市", "福岡市"];
const PER_TEXT = 7;

/** Its number is a word that no other memory has; one in two has `alphabet`, and the others `betamax`. */
export function textAt(number: number): string {
  const drink = DRINKS[number % DRINKS.length];
  const place = PLACES[number % PLACES.length];
  const half = number % 2 === 0 ? "alphabet" : "betamax";
  const rare = number % PER_TEXT === 0 ? " Die Krankenversicherung ist bezahlt." : "";
  return `The customer of order ${rareWord(number)} likes ${drink} in the morning, and asked for ${half}. 顧客は${place}の近くに住んでいる。${rarePair(number)}${rare}`;
}

export function rareWord(number: number): string {
  return `x${number.toString(36)}`;
}

/** Two signs that few memories have: of 20,902 signs, each two in one place alone for as many numbers. */
export function rarePair(number: number): string {
  const [first, second] = [number % SIGNS, (number * 7 + 3) % SIGNS];
  return String.fromCodePoint(FIRST_SIGN + first, FIRST_SIGN + second);
}

export function memoryIdAt(number: number): string {
  return `mem_${String(number).padStart(26, "0")}`;
}

/** The signs of CJK Unified Ideographs as they were at first. */
const FIRST_SIGN = 0x4e00;
const SIGNS = 20_902;

// Compiles a schema, once, into the list of keywords that apply to each type of value.
import { checkUnevaluatedItems, KEYWORDS_OF_ARRAYS } from "./keywords-array.ts";
import { KEYWORDS_OF_ALL } from "./keywords-of-all.ts";
import { KEYWORDS_OF_NUMBERS } from "./keywords-of-numbers.ts";
import { checkUnevaluatedProperties, KEYWORDS_OF_OBJECTS } from "./keywords-object.ts";
import { KEYWORDS_OF_STRINGS } from "./keywords-of-strings.ts";
import type { Keyword } from "./keyword.ts";
import type { Fields } from "./visit.ts";

export interface SchemaKeywords {
  readonly all: readonly Keyword<unknown>[];
  readonly string: readonly Keyword<string>[];
  readonly number: readonly Keyword<number>[];
  readonly object: readonly Keyword<Fields>[];
  readonly array: readonly Keyword<readonly unknown[]>[];
}

export function keywordsOf(schema: Fields): SchemaKeywords {
  const array = present(KEYWORDS_OF_ARRAYS, schema);
  const object = present(KEYWORDS_OF_OBJECTS, schema);
  if (Object.hasOwn(schema, "unevaluatedItems")) array.push(checkUnevaluatedItems);
  if (Object.hasOwn(schema, "unevaluatedProperties")) object.push(checkUnevaluatedProperties);
  return {
    all: present(KEYWORDS_OF_ALL, schema),
    string: present(KEYWORDS_OF_STRINGS, schema),
    number: present(KEYWORDS_OF_NUMBERS, schema),
    object,
    array,
  };
}

function present<Value>(
  keywords: ReadonlyMap<string, Keyword<Value>>,
  schema: Fields,
): Keyword<Value>[] {
  return [...keywords].flatMap(([name, keyword]) => (Object.hasOwn(schema, name) ? [keyword] : []));
}

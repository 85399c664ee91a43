import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonObject, JsonValue } from "../protocol/index.ts";
import type { Described } from "./shorthand-types.ts";

interface WordTypes {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: JsonObject;
  array: JsonValue[];
  null: null;
}

/** Everything that `compileSchema` reads: a shorthand map, a Zod shape, a Standard Schema, a JSON Schema. */
export type SchemaForm = StandardSchemaV1 | { readonly [key: string]: unknown };

/** The type of the arguments that a handler gets for a schema form. A schema that is not literal gives `JsonObject`. */
export type InferInput<S> = S extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<S>
  : string extends keyof S
    ? JsonObject
    : S extends JsonSchemaLike
      ? FromJsonSchema<S>
      : FromMap<S>;

type JsonSchemaLike =
  | { readonly type: "object"; readonly properties: object }
  | { readonly $schema: string }
  | { readonly $ref: string }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] }
  | { readonly allOf: readonly unknown[] };

type Flatten<T> = { [K in keyof T]: T[K] };

type FromMap<M> = Flatten<
  { -readonly [K in keyof M as IsOptional<M[K]> extends true ? never : K]: FromType<M[K]> } & {
    -readonly [K in keyof M as IsOptional<M[K]> extends true ? K : never]?: FromType<M[K]>;
  }
>;

type IsOptional<T> = T extends StandardSchemaV1
  ? undefined extends StandardSchemaV1.InferOutput<T>
    ? true
    : false
  : T extends Described<infer U, infer O>
    ? O extends true
      ? true
      : IsOptional<U>
    : T extends `${string}?` | readonly [`${string}?`]
      ? true
      : false;

type FromType<T> = T extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<T>
  : T extends Described<infer U>
    ? FromType<U>
    : T extends `${infer W}?`
      ? FromType<W>
      : T extends keyof WordTypes
        ? WordTypes[T]
        : T extends readonly [infer E]
          ? FromType<E>[]
          : T extends object
            ? InferInput<T>
            : JsonValue;

type FromJsonSchema<S> = S extends { readonly const: infer C }
  ? C
  : S extends { readonly enum: readonly (infer E)[] }
    ? E
    : S extends { readonly type: readonly (infer T)[] }
      ? FromNamedType<T, S>
      : S extends { readonly type: infer T }
        ? FromNamedType<T, S>
        : S extends { readonly properties: object }
          ? FromObject<S>
          : S extends JsonSchemaLike
            ? JsonObject
            : JsonValue;

type FromNamedType<T, S> = T extends "object"
  ? FromObject<S>
  : T extends "array"
    ? S extends { readonly items: infer I }
      ? FromJsonSchema<I>[]
      : JsonValue[]
    : T extends keyof WordTypes
      ? WordTypes[T]
      : JsonValue;

type RequiredKeys<S> = S extends { readonly required: readonly (infer R)[] } ? R : never;

type FromObject<S> = S extends { readonly properties: infer P }
  ? Flatten<
      { -readonly [K in keyof P as K extends RequiredKeys<S> ? K : never]: FromJsonSchema<P[K]> } & {
        -readonly [K in keyof P as K extends RequiredKeys<S> ? never : K]?: FromJsonSchema<P[K]>;
      }
    >
  : JsonObject;

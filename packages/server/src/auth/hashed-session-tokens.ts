import { hash } from 'node:crypto';
import {
  type BinaryOperationNode,
  ColumnNode,
  type ColumnUpdateNode,
  type InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  PrimitiveValueListNode,
  type QueryId,
  ReferenceNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
} from 'kysely';

const tokenColumn = 'token';

/** Hashes a session's token for the database, so that a reader of the database or of a copy cannot use the session. */
export function hashSessionToken(token: string): string {
  return hash('sha256', token, 'base64url');
}

/**
 * Replaces tokens by their hashes in the sign-in library's statements, so that the database has only hashes. A row
 * that was selected or inserted by its token comes back with the token; any other row with the hash, which cannot be
 * used to sign in.
 */
export function hashedSessionTokens(): KyselyPlugin {
  const asked = new WeakMap<QueryId, ReadonlyMap<string, string>>();
  return {
    transformQuery({ node, queryId }) {
      const hasher = new TokenHasher();
      const transformed = hasher.transformNode(node, queryId);
      asked.set(queryId, hasher.tokens);
      return transformed;
    },
    async transformResult({ result, queryId }) {
      const tokens = asked.get(queryId) ?? new Map<string, string>();
      const rows = result.rows.map((row) => {
        const token = typeof row.token === 'string' ? tokens.get(row.token) : undefined;
        return token === undefined ? row : { ...row, token };
      });
      return { ...result, rows };
    },
  };
}

class TokenHasher extends OperationNodeTransformer {
  /** The tokens of one statement, by their hashes. */
  readonly tokens = new Map<string, string>();

  protected override transformBinaryOperation(
    node: BinaryOperationNode,
    queryId: QueryId,
  ): BinaryOperationNode {
    const transformed = super.transformBinaryOperation(node, queryId);
    if (!isTokenColumn(transformed.leftOperand)) return transformed;
    return { ...transformed, rightOperand: this.#hashed(transformed.rightOperand) };
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId: QueryId): ColumnUpdateNode {
    const transformed = super.transformColumnUpdate(node, queryId);
    if (!isTokenColumn(transformed.column)) return transformed;
    return { ...transformed, value: this.#hashed(transformed.value) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId: QueryId): InsertQueryNode {
    const transformed = super.transformInsertQuery(node, queryId);
    const { columns = [], values } = transformed;
    const at = columns.findIndex(isTokenColumn);
    if (at === -1 || values === undefined || !ValuesNode.is(values)) return transformed;
    const rows = values.values.map((row) =>
      PrimitiveValueListNode.is(row)
        ? PrimitiveValueListNode.create(row.values.map((value, i) => (i === at ? this.#hash(value) : value)))
        : ValueListNode.create(row.values.map((value, i) => (i === at ? this.#hashed(value) : value))),
    );
    return { ...transformed, values: ValuesNode.create(rows) };
  }

  #hashed(node: OperationNode): OperationNode {
    if (ValueNode.is(node)) return ValueNode.create(this.#hash(node.value));
    if (PrimitiveValueListNode.is(node)) {
      return PrimitiveValueListNode.create(node.values.map((value) => this.#hash(value)));
    }
    throw new Error(`the sign-in library compared a session's token with a ${node.kind}`);
  }

  #hash(value: unknown): string {
    if (typeof value !== 'string')
      throw new Error('the sign-in library has a session token that is not text');
    const hashed = hashSessionToken(value);
    this.tokens.set(hashed, value);
    return hashed;
  }
}

function isTokenColumn(node: OperationNode): boolean {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) && column.column.name === tokenColumn;
}

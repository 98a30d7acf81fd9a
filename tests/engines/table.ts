export default class Table {}

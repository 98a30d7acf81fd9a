export function telephone(number: string): string {
  return `tel:${number.replaceAll(/[^+\d]/g, '')}`;
}

export function whatsapp(number: string): string {
  return `https://wa.me/${number.replaceAll(/\D/g, '')}`;
}

"""Portuguese in words: as written, as spoken."""

# ruff: noqa: E501

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.pt.language import cardinal
from audiomill.inputs.spoken.grammars import spoken_line
from support.spoken_cases import cases, said

BRAZIL = """
As eleições de 2018 próximas, 1 frase, à 1830, 2 espécies | As eleições de dois mil e dezoito próximas, uma frase, à mil oitocentos e trinta, duas espécies
Uma taxa de 1010 s-1, das 400 maiores, e $000 | Uma taxa de mil e dez por segundo, das quatrocentas maiores, e zero réis
A Casa Verde (4a), 2º O padre Roque, na audiência de 13/09, a 40° N | A Casa Verde (quarta), segundo O padre Roque, na audiência de treze de setembro, a quarenta graus norte
São 435 congressistas, 200 listas e 200 revistas. | São quatrocentos e trinta e cinco congressistas, duzentas listas e duzentas revistas.
Tinha U$ 56 mil ("Cotidiano", 17/9). | Tinha cinquenta e seis mil dólares ("Cotidiano", dezessete de setembro).
São 03 (três) horas e 02 pessoas. | São três (três) horas e duas pessoas.
O número é 01-436.15.38. | O número é zero um, quatro três seis, um cinco, três oito.
Ganhou de 6 x 1; 3 x 5 = 15; uma foto de 10 x 15 cm | Ganhou de seis a um; três vezes cinco igual a quinze; uma foto de dez por quinze centímetros
De 2a a 5a, das 17h; figura 5a, Consolação, 3120-5535. | De segunda a quinta, das dezessete horas; figura cinco a, Consolação, três um dois zero, cinco cinco três cinco.
Entre 2500-3000 pessoas | Entre duas mil e quinhentas a três mil pessoas
No título 3° do Regimento, no covil do 4° | No título terceiro do Regimento, no covil do quarto
Temperaturas acima dos 30o e 23º à sombra, calor do 10º dia | Temperaturas acima dos trinta graus e vinte e três graus à sombra, calor do décimo dia
Os §§ 1º e 2º, R$ 4,221 por litro, quinta  22/02 19:30 | Os parágrafos primeiro e segundo, quatro vírgula dois dois um reais por litro, quinta vinte e dois de fevereiro dezenove e trinta
Veja o 10.001º exemplo. | Veja o dez mil e um exemplo.
Gráfico diário-11h, volume de R$ 28,68 mm. | Gráfico diário-onze horas, volume de vinte e oito vírgula sessenta e oito milhões de reais.
No dia 07 - 17:20: Maiores | No dia sete - dezessete e vinte: Maiores
Às 00h21 choveu. | Às zero hora e vinte e um choveu.
Veio o 13o. Sem a 10a. Vara, no 3o. Ofício, a 2a. edição, a 1 ª Delegacia | Veio o décimo terceiro. Sem a décima Vara, no terceiro Ofício, a segunda edição, a primeira Delegacia
Em 2012/13/14 valiam $221bn e £ 1,4bn. | Em dois mil e doze, treze, catorze valiam duzentos e vinte e um bilhões de dólares e um vírgula quatro bilhão de libras.
São 1,6 mil/ano e R$ 20 mil/mês. | São um vírgula seis mil por ano e vinte mil reais por mês.
Venceu por 6/2, 1/6 e 7/6. | Venceu por seis dois, um seis e sete seis.
Às 20,30 horas, a 45º 30' S, um giro de 180º | Às vinte e trinta, a quarenta e cinco graus trinta minutos sul, um giro de cento e oitenta graus
Custou US $ 39,99. | Custou trinta e nove dólares e noventa e nove centavos.
Éramos 16 à mesa. | Éramos dezesseis à mesa.
Tinha 17 anos e 19 primos. | Tinha dezessete anos e dezenove primos.
Nasceu em 1897. | Nasceu em mil oitocentos e noventa e sete.
No século XIX tudo mudou. | No século dezenove tudo mudou.
No dia 1º de janeiro de 2000 | No dia primeiro de janeiro de dois mil
No dia 1 de maio descansou. | No dia primeiro de maio descansou.
O café custa R$ 5,00 hoje. | O café custa cinco reais hoje.
Pagou R$ 5,20 no balcão. | Pagou cinco reais e vinte centavos no balcão.
Uma moeda de R$ 0,50 caiu. | Uma moeda de cinquenta centavos caiu.
Ganhou R$ 2,5 milhões ontem. | Ganhou dois vírgula cinco milhões de reais ontem.
Uma empresa de 1,5 bilhão de reais | Uma empresa de um vírgula cinco bilhão de reais
São 3.000.000.000 de átomos. | São três bilhões de átomos.
Andou 5 km na neve. | Andou cinco quilômetros na neve.
Na linha 30 à 32 | Na linha trinta à trinta e dois
Às 14h30 choveu. | Às catorze e trinta choveu.
Luís XVI morreu. | Luís dezesseis morreu.
São 16.019 casas. | São dezesseis mil e dezenove casas.
Paga R$ 1.500 por mês. | Paga mil e quinhentos reais por mês.
"""


@pytest.mark.parametrize(("written", "spoken"), cases(BRAZIL))
def test_as_in_brazil(written, spoken):
    assert said(written, "pt-BR") == said(written, "pt") == spoken


@pytest.mark.parametrize("region", ("PT", "BR"))
def test_no_two_numbers_have_the_same_words(region):
    numbers = [*range(2100), *range(21_000, 22_000, 7), *range(10**6, 3 * 10**6, 10**5 + 1)]
    assert len({cardinal(number, region) for number in numbers}) == len(numbers)


@given(st.text(alphabet="abcdefghij ,;", max_size=60))
def test_words_alone_stay(text):
    assert not spoken_line(text, "pt").edits


@given(st.text(alphabet="0123456789.,:-–/ºª°½%€$§&+@ IVXLabehmrs\u00a0", max_size=40))
def test_edits_are_in_order_and_do_not_overlap(text):
    at = 0
    for edit in spoken_line(text, "pt").edits:
        assert at <= edit.start < edit.end <= len(text)
        at = edit.end
